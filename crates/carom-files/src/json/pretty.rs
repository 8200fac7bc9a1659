//! Indented JSON in which short lists and objects stay on one line.

/// The maximum length of a line, without its indentation.
const MAX_LINE: usize = 96;

/// Indents JSON that has no spaces. Lists and objects that fit stay on one line.
pub fn to_pretty(json: &str) -> String {
    let mut text = String::new();
    write(json, 0, &mut text);
    text.push('\n');
    text
}

fn write(json: &str, indent: usize, text: &mut String) {
    let inner = json.strip_prefix(['{', '[']).and_then(|rest| rest.strip_suffix(['}', ']']));
    let spaced = add_spaces(json);
    let Some(inner) = inner.filter(|_| spaced.len() > MAX_LINE) else {
        text.push_str(&spaced);
        return;
    };
    text.push_str(&json[..1]);
    for (i, item) in split_items(inner).into_iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        text.extend(std::iter::repeat_n(' ', indent + 2));
        // A field's name stays in front of its value.
        let name = if json.starts_with('{') { string_length(item) + 1 } else { 0 };
        text.push_str(&item[..name]);
        if name > 0 {
            text.push(' ');
        }
        write(&item[name..], indent + 2, text);
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str(&json[json.len() - 1..]);
}

/// Returns the length of the quoted string at the start of the text.
pub(super) fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Splits the text between the brackets of a list or object into its items.
fn split_items(inner: &str) -> Vec<&str> {
    let (mut items, mut start) = (Vec::new(), 0);
    visit_outside_strings(inner, |at, byte, depth| {
        if byte == b',' && depth == 0 {
            items.push(&inner[start..at]);
            start = at + 1;
        }
    });
    items.push(&inner[start..]);
    items
}

/// Adds a space after each comma and colon.
fn add_spaces(json: &str) -> String {
    let (mut text, mut start) = (String::with_capacity(json.len()), 0);
    visit_outside_strings(json, |at, byte, _| {
        if byte == b',' || byte == b':' {
            text.push_str(&json[start..=at]);
            text.push(' ');
            start = at + 1;
        }
    });
    text + &json[start..]
}

/// Calls `visit` with the offset and value of each byte outside strings, and the number of open brackets.
fn visit_outside_strings(json: &str, mut visit: impl FnMut(usize, u8, u32)) {
    let (mut at, mut depth) = (0, 0);
    while let Some(&byte) = json.as_bytes().get(at) {
        match byte {
            b'"' => {
                at += string_length(&json[at..]);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        visit(at, byte, depth);
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_stay_on_one_line_and_long_ones_are_split() {
        assert_eq!(
            to_pretty(r#"{"a":[1,2],"b":"x,\"{:"}"#),
            "{\"a\": [1, 2], \"b\": \"x,\\\"{:\"}\n"
        );
        let long = format!(r#"{{"rows":["{}","{}"],"n":1}}"#, "#".repeat(60), ".".repeat(60));
        let lines: Vec<String> = to_pretty(&long).lines().map(String::from).collect();
        assert_eq!(lines[0], "{");
        assert_eq!(lines[1], "  \"rows\": [");
        assert_eq!(lines[3], format!("    \"{}\"", ".".repeat(60)));
        assert_eq!(lines[4..], ["  ],", "  \"n\": 1", "}"]);
        let back: serde_json::Value = serde_json::from_str(&to_pretty(&long)).unwrap();
        assert_eq!(back, serde_json::from_str::<serde_json::Value>(&long).unwrap());
    }
}
