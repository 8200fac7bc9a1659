//! Results as the tables of README.md.

use serde_json::Value;

use crate::report::short;

const BEGIN: &str = "<!-- tables -->\n";
const END: &str = "<!-- end of tables -->";

/// Topics in the order of the README: which rows they are about, by the beginning of the name, and
/// what stands above their table.
const TOPICS: [(&str, &str); 4] = [
    ("pairs ", "All pairs, ms for a frame"),
    ("world ", "Whole worlds, ms for a frame"),
    ("look-up ", "Look-ups, ns each"),
    ("", "Two shapes, ns for a question"),
];

/// Puts the tables in place of those between the two marks of a text.
pub fn replace(text: &str, rows: &[Value]) -> Result<String, String> {
    let begin = text.find(BEGIN).ok_or(format!("there is no line {BEGIN}"))? + BEGIN.len();
    let end = text.find(END).ok_or(format!("there is no line {END}"))?;
    Ok(format!("{}\n{}{}", &text[..begin], tables(rows), &text[end..]))
}

/// A table for each topic there are rows of.
pub fn tables(rows: &[Value]) -> String {
    let topic_of = |row: &Value| {
        let name = row["row"].as_str().unwrap_or_default();
        TOPICS.iter().position(|(start, _)| name.starts_with(start))
    };
    let mut text = String::new();
    for (topic, (start, title)) in TOPICS.iter().enumerate() {
        let rows: Vec<&Value> = rows.iter().filter(|row| topic_of(row) == Some(topic)).collect();
        if !rows.is_empty() {
            text += &format!("### {title}\n\n{}\n", table(&rows, start));
        }
    }
    text
}

fn table(rows: &[&Value], start: &str) -> String {
    let carom = ["carom", "carom_enum", "carom_parallel"];
    let mut columns: Vec<&str> =
        carom.into_iter().filter(|name| rows.iter().any(|row| row[*name].is_number())).collect();
    for peer in rows.iter().filter_map(|row| row["peers"].as_object()).flat_map(|it| it.keys()) {
        if !columns.contains(&peer.as_str()) {
            columns.push(peer);
        }
    }
    let per_object = rows.iter().any(|row| row["ns_per_object"].is_number());
    let last: &[&str] = if per_object { &["ratio", "ns per object"] } else { &["ratio"] };
    let heads = ["row"].iter().chain(&columns).chain(last);
    let mut text = line(heads.map(|&head| head.to_owned()));
    text += &line((0..=columns.len() + last.len()).map(|_| "---".to_owned()));
    for row in rows {
        let name = row["row"].as_str().unwrap_or_default();
        let time = |column: &&str| {
            let own = &row[*column];
            cell(if own.is_null() { &row["peers"][*column] } else { own })
        };
        let name = [name.strip_prefix(start).unwrap_or(name).to_owned()];
        let ratio = row["ratio"].as_f64().map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        let each = per_object.then(|| cell(&row["ns_per_object"]));
        text += &line(name.into_iter().chain(columns.iter().map(time)).chain([ratio]).chain(each));
    }
    text
}

fn cell(value: &Value) -> String {
    value.as_f64().map_or("–".to_owned(), short)
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tables_replace_those_between_the_marks() {
        let rows = [
            json!({"row": "pairs thin 1k", "carom": 0.5, "peers": {"b": 2.0}, "ratio": 4.0,
                   "ns_per_object": 500.0}),
            json!({"row": "obb test", "carom": 10.0, "carom_enum": 12.0, "peers": {}, "ratio": null}),
        ];
        let text = format!("above\n{BEGIN}old\n{END}\nbelow\n");
        let expected = format!(
            "above\n{BEGIN}\n### All pairs, ms for a frame\n\n\
             | row | carom | b | ratio | ns per object |\n| --- | --- | --- | --- | --- |\n\
             | thin 1k | 0.500 | 2.00 | 4.00 | 500.0 |\n\n\
             ### Two shapes, ns for a question\n\n\
             | row | carom | carom_enum | ratio |\n| --- | --- | --- | --- |\n\
             | obb test | 10.0 | 12.0 | – |\n\n{END}\nbelow\n"
        );
        assert_eq!(replace(&text, &rows).unwrap(), expected);
        assert!(replace("no marks", &rows).is_err());
    }
}
