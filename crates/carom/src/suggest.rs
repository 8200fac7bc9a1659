//! Suggestions for misspelled names: "did you mean `radius`?".

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Returns the error message for a name that is not one of `known`, with a suggestion if one of them is
/// similar. `category` describes the name, for example as a `"field"`.
pub fn unknown_name(category: &str, found: &str, known: &[&str]) -> String {
    let hint = match closest_match(found, known) {
        Some(name) => format!(" (did you mean `{name}`?)"),
        None => String::new(),
    };
    format!("unknown {category} `{found}`{hint}, expected one of `{}`", known.join("`, `"))
}

/// Returns the known name that `found` is probably a misspelling of: the one with the smallest edit
/// distance, if that is at most a third of its length; of short names, one letter may differ.
pub fn closest_match<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let longest = known.iter().map(|name| name.len()).max()?;
    if found.len() > 2 * longest {
        return None;
    }
    let found = found.to_lowercase();
    let (edits, name) = known.iter().map(|&name| (edit_distance(&found, name), name)).min()?;
    (3 * edits <= name.len().max(3) && edits < name.len()).then_some(name)
}

/// Returns the optimal string alignment distance (restricted Damerau–Levenshtein): the number of
/// insertions, deletions, substitutions and swaps of adjacent letters that turn `from` into `to`.
fn edit_distance(from: &str, to: &str) -> usize {
    let [from, to] = [from, to].map(|word| word.chars().collect::<Vec<char>>());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, &letter) in from.iter().enumerate() {
        let mut next = Vec::from([i + 1]);
        for (j, &other) in to.iter().enumerate() {
            let change = row[j] + usize::from(letter != other);
            let is_swap = i > 0 && j > 0 && (letter, from[i - 1]) == (to[j - 1], other);
            let swap = if is_swap { before[j - 1] + 1 } else { usize::MAX };
            next.push(change.min(row[j + 1] + 1).min(next[j] + 1).min(swap));
        }
        before = core::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_name_gets_a_suggestion() {
        assert_eq!(
            unknown_name("field", "raduis", &["center", "radius"]),
            "unknown field `raduis` (did you mean `radius`?), expected one of `center`, `radius`"
        );
        assert_eq!(closest_match("sprocket", &["center", "radius"]), None);
        assert_eq!(closest_match("x", &["a", "b", "op"]), None);
        for (slip, meant) in [("pivto", "pivot"), ("form", "from"), ("idel", "idle")] {
            assert_eq!(closest_match(slip, &[meant]), Some(meant));
        }
    }
}
