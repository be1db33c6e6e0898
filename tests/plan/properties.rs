//! Any source, however broken, gives a report. It is deterministic, and its places are within the source.

use loopgate::plan::{Diagnostic, PlanNode, PlanReport, PropValue, Registry, validate, validate_to_json};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

const PLAN: &str = r#"import { App } from "planning"

/* The plan of a tea shop. */
export default (
  <App name="Tea 🫖" description={`Leaves & more`}>
    <Theme mood="zen" seed={140} pattern="triadic" font="Inter" radius="pill">
      {/* TASK-3 [FIX]: the toggle */}
      <Typography hero="4xl" labels='xs' />
      <Rule no="purple" />
    </Theme>
    <Screen name="home">
      <Nav gumdrop="sidebar-nav"><Nav.Item label="Shop" to="/shop" /></Nav>
      <Content>
        <Section gumdrop="hero" {...more} />
        <Section gumdrop="features" cols={[1, -2, "x"]} span={{ a: 1, "b": true }}>
          {/* TASK-3 [ADD]: two teas */}
          {/* EXISTING 8 teas PRESERVED — all of them */}
          {teas.map((tea) => <Slot name={tea} />)}
        </Section>
        <Section gumdrop="nope"><Gumdrop use="cta" /></Section>
      </Content>
    </Screen>
    <Screen name="shop">
      {/* NO CHANGES for task-3 */}
      <Section gumdrop="data-table"><Column field="a" sortable /></Section>
    </Screen>
    <Data><Schema name="tea" fields={["id"]} /><Endpoint resource="teas" pattern="crud" /></Data>
  </App>
) satisfies unknown
"#;

/// Ordinary source fragments, and fragments that confuse parsers.
const PIECES: &[&str] = &[
    "<App>",
    "</App>",
    "<Screen name=\"a\">",
    "</Screen>",
    "<Section gumdrop=\"hero\"",
    "<Section/>",
    "</Section>",
    "<Theme",
    "<",
    ">",
    "/>",
    "</",
    "<>",
    "</>",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "export default ",
    "const a = ",
    "return ",
    "function a() ",
    "=>",
    "=",
    "?",
    ":",
    "::",
    ",",
    ";",
    ".",
    "...",
    "!",
    "-",
    "+",
    "**",
    "typeof ",
    "new ",
    "await ",
    "yield ",
    "async ",
    "if (a) ",
    "else ",
    "do ",
    "while (1) ",
    "for (;;) ",
    "a",
    "a: ",
    "1",
    "0x",
    "1e9",
    "\"",
    "'",
    "`",
    "${",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "/* TASK-1 [ADD]: 2 */",
    "{/* EXISTING 8 PRESERVED */}",
    "<!--",
    "-->",
    "\n",
    "\r\n",
    "\r",
    "\u{2028}",
    "\u{FEFF}",
    "🙂",
    "é",
    "\u{0}",
    " ",
    "\t",
    "type A = ",
    "as ",
    "satisfies ",
    "infer ",
    "extends ",
    "keyof ",
    "class ",
    "@",
    "#a",
    "&amp;",
    "mood=\"zen\"",
    "seed={400}",
    "gumdrop=\"herro\"",
    "{...a}",
    "a={b}",
    "a=\"b\"",
    "import a from \"b\"",
    "export { a as default }",
];

#[test]
fn the_plan_that_others_are_made_of_is_a_plan() {
    let report = checked(PLAN).unwrap();
    let ids: Vec<_> = report.failures.iter().map(|failure| failure.id.as_str()).collect();
    assert_eq!(ids, ["valid-gumdrops"]);
    assert_eq!(report.markers.len(), 4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_report(source in "\\PC{0,300}") {
        checked(&source)?;
    }

    #[test]
    fn any_characters_give_a_report(source in vec(any::<char>(), 0..200)) {
        checked(&source.into_iter().collect::<String>())?;
    }

    #[test]
    fn any_pieces_give_a_report(pieces in vec(proptest::sample::select(PIECES), 0..120)) {
        checked(&pieces.concat())?;
    }

    #[test]
    fn a_mutated_plan_gives_a_report(mutations in vec(mutation(), 1..12)) {
        let mut source: Vec<char> = PLAN.chars().collect();
        for (at, length, piece) in mutations {
            let start = at.index(source.len() + 1);
            let end = (start + length).min(source.len());
            source.splice(start..end, piece.chars());
        }
        checked(&source.into_iter().collect::<String>())?;
    }

    #[test]
    fn a_printed_tree_is_read_back(tree in tree()) {
        let mut source = String::from("export default (\n");
        print(&mut source, &tree, 1);
        source.push(')');
        let report = checked(&source)?;
        prop_assert!(report.failures.iter().all(|failure| failure.id != "parseable"), "{:?}\n{}", report.failures, source);
        prop_assert_eq!(report.root.map(without_places), Some(tree), "{}", source);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn long_texts_give_a_report(pieces in vec(proptest::sample::select(PIECES), 8_000..16_000)) {
        checked(&pieces.concat())?;
    }

    #[test]
    fn a_plan_of_64_kb_with_a_fault_gives_a_report((at, length, piece) in mutation(), times in 1usize..60) {
        let section = "      <Section gumdrop=\"hero\">{/* TASK-3 [ADD]: 2 teas */}</Section>\n".repeat(times * 12);
        let mut source: Vec<char> = PLAN.replacen("      <Content>\n", &section, 1).chars().collect();
        let start = at.index(source.len());
        source.splice(start..(start + length).min(source.len()), piece.chars());
        checked(&source.into_iter().collect::<String>())?;
    }
}

/// The position, the number of removed characters, and the inserted text.
fn mutation() -> impl Strategy<Value = (prop::sample::Index, usize, &'static str)> {
    (any::<prop::sample::Index>(), prop_oneof![3 => 0usize..3, 1 => 0usize..80], proptest::sample::select(PIECES))
}

/// The report, after checking its invariants.
fn checked(source: &str) -> Result<PlanReport, TestCaseError> {
    let report = on_a_large_stack(source, validate)?;
    let lines: Vec<String> = lines(source.strip_prefix('\u{FEFF}').unwrap_or(source));
    let inside = |line: u32, column: u32| {
        let text = lines.get((line as usize).wrapping_sub(1));
        text.is_some_and(|text| (1..=text.encode_utf16().count() as u32 + 1).contains(&column))
    };
    for diagnostics in [&report.failures, &report.warnings] {
        for Diagnostic { id, message, line, column, end_line, end_column, .. } in diagnostics {
            prop_assert!(inside(*line, *column), "{id} at {line}:{column}");
            let end = (end_line.unwrap_or(*line), end_column.unwrap_or(*column));
            prop_assert!(inside(end.0, end.1) && end >= (*line, *column), "{id} at {line}:{column} to {end:?}");
            prop_assert!(!message.is_empty());
        }
        let in_order = diagnostics.is_sorted_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        prop_assert!(in_order, "{diagnostics:?}");
    }
    for marker in &report.markers {
        prop_assert!(inside(marker.line, 1));
    }
    let mut nodes: Vec<&PlanNode> = report.root.iter().collect();
    while let Some(node) = nodes.pop() {
        prop_assert!(inside(node.line, node.column), "{} at {}:{}", node.component, node.line, node.column);
        nodes.extend(&node.children);
    }
    prop_assert_eq!(report.ok, report.failures.is_empty());
    prop_assert_eq!(&on_a_large_stack(source, validate)?, &report);
    let (without_tree, tree) = on_a_large_stack(source, validate_to_json)?;
    prop_assert_eq!(&PlanReport { root: None, ..report.clone() }, &without_tree);
    prop_assert_eq!(serde_json::from_str::<Option<PlanNode>>(&tree).ok(), Some(report.root.clone()), "{}", tree);
    Ok(report)
}

/// The frames of an unoptimised parser are many times larger than in the package.
fn on_a_large_stack<T: Send + 'static>(
    source: &str,
    validate: fn(&str, &Registry, Option<u32>) -> T,
) -> Result<T, TestCaseError> {
    let source = source.to_owned();
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || validate(&source, Registry::builtin(), Some(3)))
        .map_err(|error| TestCaseError::fail(error.to_string()))?
        .join()
        .map_err(|_| TestCaseError::fail("it panicked"))
}

/// The lines as an editor counts them.
fn lines(source: &str) -> Vec<String> {
    source.replace("\r\n", "\n").replace('\r', "\n").split('\n').map(str::to_owned).collect()
}

fn tree() -> impl Strategy<Value = PlanNode> {
    let leaf = (component(), props()).prop_map(|(component, props)| node(component, props, Vec::new()));
    leaf.prop_recursive(5, 40, 6, |inner| {
        (component(), props(), vec(inner, 0..6))
            .prop_map(|(component, props, children)| node(component, props, children))
    })
}

fn node(component: String, props: BTreeMap<String, PropValue>, children: Vec<PlanNode>) -> PlanNode {
    PlanNode { component, props, children, line: 0, column: 0 }
}

fn component() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec!["App", "Theme", "Screen", "Section", "Gumdrop", "NavItem", "Data"])
            .prop_map(str::to_owned),
        "[A-Z][A-Za-z0-9]{0,8}",
        "[a-z][a-z0-9]{0,4}(-[a-z]{1,3})?",
    ]
}

fn props() -> impl Strategy<Value = BTreeMap<String, PropValue>> {
    let name = "[a-z][A-Za-z0-9]{0,6}(-[a-z]{1,3})?";
    let value = prop_oneof![
        4 => scalar(),
        1 => vec(scalar(), 0..4).prop_map(PropValue::List),
        1 => vec(("\\PC{0,6}", scalar()), 0..4).prop_map(|fields| PropValue::Map(BTreeMap::from_iter(fields))),
    ];
    vec((name, value), 0..4).prop_map(BTreeMap::from_iter)
}

fn scalar() -> impl Strategy<Value = PropValue> {
    prop_oneof![
        any::<bool>().prop_map(PropValue::Boolean),
        any::<i32>().prop_map(|number| PropValue::Number(f64::from(number))),
        any::<f64>()
            .prop_filter("JSON has finite numbers only", |number| number.is_finite())
            .prop_map(PropValue::Number),
        any::<String>().prop_map(PropValue::String),
    ]
}

fn print(text: &mut String, node: &PlanNode, level: usize) {
    let indent = "  ".repeat(level);
    let _ = write!(text, "{indent}<{}", node.component);
    for (name, value) in &node.props {
        let _ = write!(text, " {name}={{{}}}", serde_json::json!(value));
    }
    if node.children.is_empty() {
        text.push_str(" />\n");
        return;
    }
    text.push_str(">\n");
    node.children.iter().for_each(|child| print(text, child, level + 1));
    let _ = writeln!(text, "{indent}</{}>", node.component);
}

fn without_places(node: PlanNode) -> PlanNode {
    let children = node.children.into_iter().map(without_places).collect();
    PlanNode { children, line: 0, column: 0, ..node }
}
