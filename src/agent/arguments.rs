//! The arguments of a tool call: parsed from JSON text and checked against the tool's schema.

use crate::json;
use crate::text::beginning;
use serde_json::{Map, Value};

/// Arguments that fit their tool's schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Args<'a>(pub &'a Value);

impl<'a> Args<'a> {
    /// A required string; empty if it is missing.
    pub(super) fn text(self, field: &str) -> &'a str {
        self.optional_text(field).unwrap_or_default()
    }

    pub(super) fn optional_text(self, field: &str) -> Option<&'a str> {
        self.0.get(field).and_then(Value::as_str)
    }

    pub(super) fn optional_number(self, field: &str) -> Option<usize> {
        self.0.get(field).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
    }
}

/// The size of the arguments of a call, in bytes.
const SIZE_MAX: usize = 8 * 1024 * 1024;

/// The number of JSON values in the arguments of a call.
const VALUES_MAX: usize = 100_000;

/// How many problems are listed.
const PROBLEMS_MAX: usize = 10;

/// Parses the arguments as the model wrote them. Blank text means no arguments. JSON in a JSON string and raw line breaks in
/// strings are read as what they are.
///
/// # Errors
/// Where the JSON is invalid or that it is too large, and how to fix it.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    if is_too_large(text) {
        return Err(format!(
            "the arguments have {} bytes; at most {SIZE_MAX} bytes and {VALUES_MAX} JSON values are read: write less in one \
             call",
            text.len()
        ));
    }
    if text.trim().is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    let read = |text: &str| json::value(text).map(inner);
    read(text).or_else(|error| read(&with_escapes(text)).map_err(|_| error)).map_err(|error| {
        let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        let start = line.floor_char_boundary(error.column().saturating_sub(40).min(line.len()));
        let end = line.ceil_char_boundary(error.column().min(line.len()));
        let near = line.get(start..end).unwrap_or_default();
        let remedy = if error.is_eof() {
            "the text ends too early: write less in one call, or close every string and bracket"
        } else {
            "inside strings, write quotes as \\\", backslashes as \\\\ and line breaks as \\n"
        };
        format!("arguments are not valid JSON ({error}, after `{near}`): {remedy}")
    })
}

/// The object in a JSON string, or the value itself. Some models write `null` for no arguments.
fn inner(value: Value) -> Value {
    if value.is_null() {
        return Value::Object(Map::new());
    }
    let text = value.as_str().map(str::trim_start).filter(|text| text.starts_with('{') && !is_too_large(text));
    let object = text.and_then(|text| json::value(text).or_else(|_| json::value(&with_escapes(text))).ok());
    object.filter(Value::is_object).unwrap_or(value)
}

/// The text with control characters in its strings escaped, as JSON wants them.
fn with_escapes(text: &str) -> String {
    let (mut escaped, mut is_in_string) = (String::with_capacity(text.len()), false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => is_in_string = !is_in_string,
            '\\' if is_in_string => {
                escaped.push(c);
                escaped.extend(chars.next());
                continue;
            }
            c if is_in_string && c < ' ' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
                continue;
            }
            _ => {}
        }
        escaped.push(c);
    }
    escaped
}

/// Whether arguments are not parsed, because they would take too much memory. Every value follows a bracket or a comma.
pub(super) fn is_too_large(text: &str) -> bool {
    let (mut values, mut is_in_string, mut bytes) = (0, false, text.bytes());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_in_string = !is_in_string,
            b'\\' => drop(bytes.next()),
            b'[' | b'{' | b',' if !is_in_string => values += 1,
            _ => {}
        }
    }
    text.len() > SIZE_MAX || values > VALUES_MAX
}

/// Checks arguments against a JSON Schema: types, required and unknown fields, `enum` and `minimum`. A `null` for an
/// optional field counts as missing, and a number, a boolean or a list in a string as itself where the schema allows no string.
/// Arguments in one field that the tool does not have, such as `arguments`, are taken out of it.
///
/// # Errors
/// The first problems, and the signature of the tool.
pub(super) fn check(tool: &str, schema: &Value, args: Value) -> Result<Value, String> {
    let mut args = unwrapped(schema, args);
    if let Value::Object(fields) = &mut args {
        fields.retain(|name, value| !value.is_null() || is_required(schema, name) || allows_null(schema, name));
    }
    unquote(schema, &mut args);
    let mut problems = Vec::new();
    check_value("", schema, &args, &mut problems);
    if problems.is_empty() {
        return Ok(args);
    }
    if problems.len() > PROBLEMS_MAX {
        problems.truncate(PROBLEMS_MAX);
        problems.push("and more".to_owned());
    }
    Err(format!("{}; call it as {}", problems.join("; "), signature(tool, schema)))
}

const WRAPPERS: [&str; 5] = ["arguments", "args", "input", "parameters", "params"];

fn unwrapped(schema: &Value, args: Value) -> Value {
    let has = |name: &str| schema.get("properties").is_some_and(|fields| fields.get(name).is_some());
    let only = args.as_object().filter(|fields| fields.len() == 1).and_then(|fields| fields.iter().next());
    let wrapped =
        only.filter(|(name, _)| WRAPPERS.contains(&name.as_str()) && !has(name)).map(|(_, value)| value.clone());
    wrapped.map(inner).filter(Value::is_object).unwrap_or(args)
}

/// Whether the texts have arguments that fit the schema and differ. Texts that do not fit are left out.
pub(super) fn differ<'a>(tool: &str, schema: &Value, texts: impl IntoIterator<Item = &'a str>) -> bool {
    let mut fitting = texts.into_iter().filter_map(|text| check(tool, schema, parse(text).ok()?).ok());
    fitting.next().is_some_and(|first| fitting.any(|other| other != first))
}

/// The signature of a tool: `read_file(path: string, start?: integer)`.
fn signature(tool: &str, schema: &Value) -> String {
    let mut fields: Vec<_> = properties(schema)
        .map(|(name, field)| {
            let required = is_required(schema, name);
            (!required, format!("{name}{}: {}", if required { "" } else { "?" }, type_name(field)))
        })
        .collect();
    fields.sort();
    let fields: Vec<String> = fields.into_iter().map(|(_, field)| field).collect();
    format!("{tool}({})", fields.join(", "))
}

/// Replaces strings that have a value of the type that the schema wants by this value.
fn unquote(schema: &Value, value: &mut Value) {
    if let Value::String(text) = value {
        let wanted = types(schema);
        let read = (!wanted.is_empty() && !wanted.contains(&"string")).then(|| unquoted(text.trim())).flatten();
        match read {
            Some(read) if wanted.iter().any(|wanted| is_of(&read, wanted)) => *value = read,
            _ => return,
        }
    }
    match value {
        Value::Object(fields) => {
            let known = schema.get("properties").and_then(Value::as_object);
            for (name, field) in known.into_iter().flatten() {
                if let Some(value) = fields.get_mut(name) {
                    unquote(field, value);
                }
            }
        }
        Value::Array(items) => {
            if let Some(item) = schema.get("items") {
                items.iter_mut().for_each(|value| unquote(item, value));
            }
        }
        _ => {}
    }
}

/// The value in a string; `True` is written by models that know Python better.
fn unquoted(text: &str) -> Option<Value> {
    match text {
        "True" => Some(Value::Bool(true)),
        "False" => Some(Value::Bool(false)),
        text if is_too_large(text) => None,
        text => json::value(text).ok(),
    }
}

fn check_value(at: &str, schema: &Value, value: &Value, problems: &mut Vec<String>) {
    if problems.len() > PROBLEMS_MAX {
        return;
    }
    if !types(schema).is_empty() && !types(schema).iter().any(|wanted| is_of(value, wanted)) {
        let what = if at.is_empty() { "the arguments".to_owned() } else { format!("`{at}`") };
        problems.push(format!("{what} must be {}, not {}", type_name(schema), shortened_json(value)));
        return;
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.contains(value)
    {
        problems.push(format!("`{at}` must be one of {}, not {}", listed(allowed), shortened_json(value)));
    }
    if let (Some(minimum), Some(number)) = (schema.get("minimum").and_then(Value::as_f64), value.as_f64())
        && number < minimum
    {
        problems.push(format!("`{at}` must be at least {}, not {}", json::number(minimum), json::number(number)));
    }
    match value {
        Value::Object(fields) => check_fields(at, schema, fields, problems),
        Value::Array(items) => {
            if let Some(item_schema) = schema.get("items") {
                for (index, item) in items.iter().enumerate() {
                    check_value(&format!("{at}[{index}]"), item_schema, item, problems);
                }
            }
        }
        _ => {}
    }
}

fn check_fields(at: &str, schema: &Value, fields: &Map<String, Value>, problems: &mut Vec<String>) {
    let path = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in required.filter(|name| !fields.contains_key(*name)) {
        problems.push(format!("`{}` is missing", path(name)));
    }
    for (name, value) in fields {
        if problems.len() > PROBLEMS_MAX {
            return;
        }
        match schema.get("properties").and_then(|properties| properties.get(name)) {
            Some(field) => check_value(&path(name), field, value, problems),
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                problems.push(format!("unknown field `{}`", beginning(&path(name), 80)));
            }
            None => {}
        }
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|field| field == name))
}

/// Whether the schema allows `null` for the field, explicitly or by not restricting its type.
fn allows_null(schema: &Value, name: &str) -> bool {
    let field = schema.get("properties").and_then(|properties| properties.get(name));
    field.is_none_or(|field| types(field).is_empty() || types(field).contains(&"null"))
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn type_name(schema: &Value) -> String {
    match schema.get("enum").and_then(Value::as_array) {
        Some(allowed) => listed(allowed),
        None if types(schema).is_empty() => "any".to_owned(),
        None => types(schema).join(" | "),
    }
}

fn listed(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ")
}

fn is_of(value: &Value, wanted: &str) -> bool {
    match wanted {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn shortened_json(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        other => beginning(&other.to_string(), 60),
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "path": { "type": "string" },
                "start": { "type": "integer", "minimum": 1 },
                "action": { "type": "string", "enum": ["save", "list"] },
                "tags": { "type": "array", "items": { "type": "string" } },
            },
            "required": ["path"],
            "additionalProperties": false,
        })
    }

    fn problems(args: Value) -> String {
        check("tool", &schema(), args).unwrap_err()
    }

    #[test]
    fn arguments_in_one_field_that_the_tool_does_not_have_are_taken_out_of_it() {
        let args = json!({ "path": "a" });
        for wrapped in [json!({ "arguments": args }), json!({ "input": "{\"path\": \"a\"}" }), args.clone()] {
            assert_eq!(check("tool", &schema(), wrapped), Ok(args.clone()));
        }
        assert!(problems(json!({ "input": "a" })).contains("unknown field `input`"));
        assert!(problems(json!({ "input": args, "start": 1 })).contains("`path` is missing"));
    }

    #[test]
    fn invalid_json_is_reported_with_its_position() {
        let error = parse("{\"path\": \"a\"\n \"start\": 1}").unwrap_err();
        assert!(error.contains("line 2 column 2"), "{error}");
        let error = parse("{\"content\": \"say \"hi\" to\"}").unwrap_err();
        assert!(error.contains("after `{\"content\": \"say \"h`") && error.contains("\\\""), "{error}");
        let error = parse("{\"content\": \"const a").unwrap_err();
        assert!(error.contains("ends too early"), "{error}");
        let error = parse(&format!("{{\"c\": \"{}\u{1f980}\" x", "é".repeat(100))).unwrap_err();
        assert!(error.len() < 400, "{error}");
        assert_eq!(parse("  "), Ok(json!({})));
        assert_eq!(parse("[1]"), Ok(json!([1])));
    }

    #[test]
    fn arguments_have_one_reading_however_a_server_writes_them() {
        let expected = Ok(json!({ "path": "a", "content": "x\n\ty \"z\" \\" }));
        let plain = json!({ "path": "a", "content": "x\n\ty \"z\" \\" }).to_string();
        let raw = plain.replace("\\n", "\n").replace("\\t", "\t");
        assert_ne!(plain, raw);
        for text in
            [plain.clone(), raw.clone(), json!(plain).to_string(), json!(raw).to_string(), format!(" {plain}\n")]
        {
            assert_eq!(parse(&text), expected, "{text}");
        }
        assert_eq!((parse("null"), parse("\"text\"")), (Ok(json!({})), Ok(json!("text"))));
        assert!(parse(&format!("{plain}{plain}")).is_err());
    }

    #[test]
    fn values_in_strings_are_read_where_the_schema_allows_no_string() {
        let open = json!({
            "type": "object",
            "properties": {
                "start": { "type": "integer" },
                "ratio": { "type": ["number", "null"] },
                "deep": { "type": "boolean" },
                "tags": { "type": "array", "items": { "type": "integer" } },
                "either": { "type": ["integer", "string"] },
                "text": { "type": "string" },
            },
        });
        for (given, read) in [
            (json!({ "start": "3" }), json!({ "start": 3 })),
            (json!({ "start": " 3 ", "ratio": "0.5" }), json!({ "start": 3, "ratio": 0.5 })),
            (json!({ "deep": "true" }), json!({ "deep": true })),
            (json!({ "deep": "False" }), json!({ "deep": false })),
            (json!({ "tags": "[\"1\", 2]" }), json!({ "tags": [1, 2] })),
            (json!({ "either": "3", "text": "4", "more": "5" }), json!({ "either": "3", "text": "4", "more": "5" })),
        ] {
            assert_eq!(check("tool", &open, given), Ok(read));
        }
        for wrong in
            [json!({ "start": "three" }), json!({ "start": "" }), json!({ "deep": "yes" }), json!({ "tags": "a" })]
        {
            assert!(check("tool", &open, wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_wrong_field_is_reported_with_the_signature() {
        let message = problems(json!({ "start": "3rd", "file": "a" }));
        assert_eq!(
            message,
            "`path` is missing; unknown field `file`; `start` must be integer, not \"3rd\"; call it as \
             tool(path: string, action?: \"save\" | \"list\", start?: integer, tags?: array)"
        );
        assert!(problems(json!("text")).starts_with("the arguments must be object, not \"text\""));
        assert!(problems(json!({ "path": null })).contains("`path` must be string, not null"));
        assert!(problems(json!({ "path": "a", "start": 0 })).contains("at least 1"));
        assert!(problems(json!({ "path": "a", "start": 1.5 })).contains("must be integer"));
        assert!(problems(json!({ "path": "a", "action": "go" })).contains("one of \"save\" | \"list\", not \"go\""));
        assert!(problems(json!({ "path": "a", "tags": ["x", 1] })).contains("`tags[1]` must be string"));
        assert!(problems(json!({ "path": ["x".repeat(9000)] })).len() < 300);
    }

    #[test]
    fn large_arguments_are_not_parsed_and_the_list_of_problems_is_short() {
        let many =
            |value: &str, count: usize| format!("{{\"path\":\"a\",\"x\":[{}0]}}", format!("{value},").repeat(count));
        for text in [
            many("1", 100_000),
            many("[]", 50_000),
            many("{\"\":0}", 50_000),
            format!("{{\"path\":\"{}\"}}", "x".repeat(SIZE_MAX)),
        ] {
            assert!(parse(&text).unwrap_err().contains("write less"), "{}", text.get(..30).unwrap());
        }
        for text in [many("1", 90_000), json!({ "path": "[{,\\\",".repeat(100_000) }).to_string()] {
            assert!(parse(&text).is_ok(), "{}", text.get(..30).unwrap());
        }
        for args in [
            json!({ "path": "a", "tags": vec![1; 50_000] }),
            json!({ "path": "a", "tags": vec![json!({ "": 0 }); 50_000] }),
            json!((0..50_000).map(|n| (n.to_string(), json!(1))).collect::<Map<_, _>>()),
            json!({ "path": "a", "x".repeat(1_000_000): 1 }),
        ] {
            assert!(problems(args).len() < 1_000);
        }
    }

    #[test]
    fn arguments_differ_if_two_that_fit_are_not_equal() {
        let (a, b) = (r#"{"path":"a"}"#, r#"{"path":"b"}"#);
        for (texts, expected) in [
            (&[][..], false),
            (&[a], false),
            (&[a, a], false),
            (&[a, r#" { "start": null, "path": "a" } "#], false),
            (&[a, b], true),
            (&[a, a, b], true),
            (&[a, "{}", "{\"path\": "], false),
            (&["{}", a, b], true),
        ] {
            assert_eq!(differ("tool", &schema(), texts.iter().copied()), expected, "{texts:?}");
        }
    }

    #[test]
    fn null_for_an_optional_field_counts_as_missing() {
        let args = check("tool", &schema(), json!({ "path": "a", "start": null })).unwrap();
        assert_eq!(args, json!({ "path": "a" }));
        let open = json!({ "type": "object", "properties": { "id": { "type": ["string", "null"] } } });
        let args = json!({ "id": null, "more": null });
        assert_eq!(check("tool", &open, args.clone()), Ok(args));
        assert_eq!(check("tool", &json!({}), json!([1])), Ok(json!([1])));
    }
}
