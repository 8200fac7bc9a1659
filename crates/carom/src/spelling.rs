//! Names that are not known, and which ones were probably meant.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The message for a name that is none of the known ones.
pub fn unknown(what: &str, found: &str, known: &[&str]) -> String {
    let hint = match nearest(found, known) {
        Some(name) => format!(" (did you mean `{name}`?)"),
        None => String::new(),
    };
    format!("unknown {what} `{found}`{hint}, expected one of `{}`", known.join("`, `"))
}

/// The known name that a misspelt one was probably meant to be, if any is near: one edit in three
/// letters at most.
pub fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let longest = known.iter().map(|name| name.len()).max()?;
    if found.len() > 2 * longest {
        return None;
    }
    let found = found.to_lowercase();
    let (edits, name) = known.iter().map(|&name| (edits(&found, name), name)).min()?;
    (3 * edits <= name.len().max(3)).then_some(name)
}

/// How many letters to change, add, drop, or swap with the next to get from one word to the other.
fn edits(from: &str, to: &str) -> usize {
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
    fn a_misspelt_name_is_put_right() {
        assert_eq!(
            unknown("field", "raduis", &["center", "radius"]),
            "unknown field `raduis` (did you mean `radius`?), expected one of `center`, `radius`"
        );
        assert_eq!(nearest("sprocket", &["center", "radius"]), None);
        for (slip, meant) in [("pivto", "pivot"), ("form", "from"), ("idel", "idle")] {
            assert_eq!(nearest(slip, &[meant]), Some(meant));
        }
    }
}
