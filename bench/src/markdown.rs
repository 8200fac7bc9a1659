//! Writes results as the tables of README.md.

use serde_json::Value;

use crate::report::short;

const END: &str = "<!-- end of table -->";

/// The topics of the tables and the prefixes of their rows; the first match counts.
const TOPICS: [&str; 11] = [
    "pairs ",
    "world ",
    "in turn ",
    "motion ",
    "look-up ",
    "methods ",
    "simd ",
    "exact touches ",
    "batch of ",
    "mask ",
    "",
];

/// The mark above a topic's table.
fn begin(topic: &str) -> String {
    let name = if topic.is_empty() { "two shapes" } else { topic.trim_end() };
    format!("<!-- table: {name} -->\n")
}

/// Replaces the text between the marks of each topic that has rows with its table.
pub fn replace(text: &str, rows: &[Value]) -> Result<String, String> {
    let topic_of = |row: &Value| {
        let name = row["row"].as_str().unwrap_or_default();
        TOPICS.into_iter().find(|start| name.starts_with(start))
    };
    let mut text = text.to_owned();
    for topic in TOPICS {
        let rows: Vec<&Value> = rows.iter().filter(|row| topic_of(row) == Some(topic)).collect();
        if rows.is_empty() {
            continue;
        }
        let mark = begin(topic);
        let begin = text.find(&mark).ok_or(format!("there is no line {mark}"))? + mark.len();
        let length = text[begin..].find(END).ok_or(format!("there is no line {END}"))?;
        text.replace_range(begin..begin + length, &format!("\n{}\n", table(&rows, topic)));
    }
    Ok(text)
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
    let is_number = |key: &str| rows.iter().any(|row| row[key].is_number());
    let mut last = vec!["ratio"];
    last.extend(is_number("ratio_by_round").then_some("by round"));
    last.extend(is_number("ns_per_object").then_some("ns per object"));
    let heads = ["row"].iter().chain(&columns).chain(&last);
    let mut text = line(heads.map(|&head| head.to_owned()));
    text += &line((0..=columns.len() + last.len()).map(|_| "---".to_owned()));
    for row in rows {
        let name = row["row"].as_str().unwrap_or_default();
        let time = |column: &&str| {
            let own = &row[*column];
            cell(if own.is_null() { &row["peers"][*column] } else { own })
        };
        let name = [name.strip_prefix(start).unwrap_or(name).to_owned()];
        let ratio =
            |key: &str| row[key].as_f64().map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        let last = last.iter().map(|&head| match head {
            "ratio" => ratio("ratio"),
            "by round" => ratio("ratio_by_round"),
            _ => cell(&row["ns_per_object"]),
        });
        text += &line(name.into_iter().chain(columns.iter().map(time)).chain(last));
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
    fn a_table_replaces_what_is_between_the_marks_of_its_topic() {
        let rows = [
            json!({"row": "pairs thin 1k", "carom": 0.5, "peers": {"b": 2.0}, "ratio": 4.0,
                   "ratio_by_round": 4.5, "ns_per_object": 500.0}),
            json!({"row": "obb test", "carom": 10.0, "carom_enum": 12.0, "peers": {}, "ratio": null}),
        ];
        let text = |pairs: &str, world: &str, two: &str| {
            format!(
                "above\n<!-- table: pairs -->\n{pairs}{END}\n<!-- table: world -->\n{world}{END}\n\
                 <!-- table: two shapes -->\n{two}{END}\nbelow\n"
            )
        };
        let expected = text(
            "\n| row | carom | b | ratio | by round | ns per object |\n\
             | --- | --- | --- | --- | --- | --- |\n| thin 1k | 0.500 | 2.00 | 4.00 | 4.50 | 500.0 |\n\n",
            "kept",
            "\n| row | carom | carom_enum | ratio |\n| --- | --- | --- | --- |\n\
             | obb test | 10.0 | 12.0 | – |\n\n",
        );
        assert_eq!(replace(&text("old", "kept", "older"), &rows).unwrap(), expected);
        assert!(replace("no marks", &rows).is_err());
    }
}
