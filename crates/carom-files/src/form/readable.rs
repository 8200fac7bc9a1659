//! JSON that people can read and edit.

/// How long a line may be, indentation not counted.
const LINE: usize = 96;

/// Breaks JSON without spaces into lines: lists and objects that are short stay on one.
pub fn readable(json: &str) -> String {
    let mut text = String::new();
    write(json, 0, &mut text);
    text.push('\n');
    text
}

fn write(json: &str, indent: usize, text: &mut String) {
    let inner = json.strip_prefix(['{', '[']).and_then(|rest| rest.strip_suffix(['}', ']']));
    let spaced = spaced(json);
    let Some(inner) = inner.filter(|_| spaced.len() > LINE) else {
        text.push_str(&spaced);
        return;
    };
    text.push_str(&json[..1]);
    for (i, item) in items(inner).into_iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        text.extend(std::iter::repeat_n(' ', indent + 2));
        // A field's name stays in front of its value.
        let name = if json.starts_with('{') { end_of_string(item) + 1 } else { 0 };
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

/// Where a string at the start of the text ends.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// The items between the brackets of a list or object.
fn items(inner: &str) -> Vec<&str> {
    let (mut items, mut start) = (Vec::new(), 0);
    outside_strings(inner, |place, byte, depth| {
        if byte == b',' && depth == 0 {
            items.push(&inner[start..place]);
            start = place + 1;
        }
    });
    items.push(&inner[start..]);
    items
}

/// The same with a space after each comma and colon.
fn spaced(json: &str) -> String {
    let (mut text, mut start) = (String::with_capacity(json.len()), 0);
    outside_strings(json, |place, byte, _| {
        if byte == b',' || byte == b':' {
            text.push_str(&json[start..=place]);
            text.push(' ');
            start = place + 1;
        }
    });
    text + &json[start..]
}

/// Tells the bytes that are not in strings, with how many brackets are open.
fn outside_strings(json: &str, mut visit: impl FnMut(usize, u8, u32)) {
    let (mut place, mut depth) = (0, 0);
    while let Some(&byte) = json.as_bytes().get(place) {
        match byte {
            b'"' => {
                place += end_of_string(&json[place..]);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        visit(place, byte, depth);
        place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_things_stay_on_a_line_and_long_ones_are_broken() {
        assert_eq!(
            readable(r#"{"a":[1,2],"b":"x,\"{:"}"#),
            "{\"a\": [1, 2], \"b\": \"x,\\\"{:\"}\n"
        );
        let long = format!(r#"{{"rows":["{}","{}"],"n":1}}"#, "#".repeat(60), ".".repeat(60));
        let lines: Vec<String> = readable(&long).lines().map(String::from).collect();
        assert_eq!(lines[0], "{");
        assert_eq!(lines[1], "  \"rows\": [");
        assert_eq!(lines[3], format!("    \"{}\"", ".".repeat(60)));
        assert_eq!(lines[4..], ["  ],", "  \"n\": 1", "}"]);
        let back: serde_json::Value = serde_json::from_str(&readable(&long)).unwrap();
        assert_eq!(back, serde_json::from_str::<serde_json::Value>(&long).unwrap());
    }
}
