//! The JSON Schemas of the file formats.
//!
//! A test generates them from the types, so that the program does not need the code that generates schemas:
//! `CAROM_BLESS=1 cargo test -p carom-files --lib schema` writes them.

use std::sync::LazyLock;

use serde_json::Value;

static SCENE: LazyLock<Value> = LazyLock::new(|| parse(include_str!("../../schema/scene.json")));
static SHEET: LazyLock<Value> = LazyLock::new(|| parse(include_str!("../../schema/sheet.json")));

/// Returns the JSON Schema of scene files.
pub fn scene_schema() -> &'static Value {
    &SCENE
}

/// Returns the JSON Schema of sheet files.
pub fn sheet_schema() -> &'static Value {
    &SHEET
}

fn parse(schema: &str) -> Value {
    serde_json::from_str(schema).expect("the schema was written by a test")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use carom::sheet::Sheet;
    use schemars::{JsonSchema, SchemaGenerator};

    use super::*;
    use crate::Scene;

    #[test]
    fn the_committed_schemas_are_those_of_the_types() {
        check::<Scene>("scene");
        check::<Sheet>("sheet");
    }

    fn check<T: JsonSchema>(name: &str) {
        let mut schema = SchemaGenerator::default().into_root_schema_for::<T>().to_value();
        forbid_null(&mut schema);
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
        let path = folder.join(name).with_extension("json");
        if std::env::var_os("CAROM_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text, "schema/{name}.json is out of date; run with CAROM_BLESS=1");
    }

    /// Removes `null` from optional values, which are left out instead.
    fn forbid_null(schema: &mut Value) {
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|json_type| json_type != "null");
            if let [json_type] = &types[..] {
                schema["type"] = json_type.clone();
            }
        }
        if let Some(Value::Array(variants)) = schema.get_mut("anyOf") {
            variants.retain(|variant| variant["type"] != "null");
            if let [variant] = &variants[..] {
                let variant = variant.clone();
                if let (Value::Object(schema), Value::Object(variant)) = (&mut *schema, variant) {
                    schema.remove("anyOf");
                    schema.extend(variant);
                }
            }
        }
        if schema.get("default") == Some(&Value::Null) {
            schema.as_object_mut().unwrap().remove("default");
        }
        match schema {
            Value::Object(fields) => fields.values_mut().for_each(forbid_null),
            Value::Array(items) => items.iter_mut().for_each(forbid_null),
            _ => {}
        }
    }
}
