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

/// How many letters to change, add or drop to get from one word to the other (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in to.chars().enumerate() {
            let change = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
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
    }
}
