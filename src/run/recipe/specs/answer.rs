//! What the roles answer: the arguments of `complete_task`, the same JSON as text, or the line protocol.
//!
//! The line protocol ends with [`PHRASE`] on a line of its own, after the commit hash where there is one. A verifier that
//! found the plan itself wrong has the line `PLAN_INVALIDATION: reason`. Only the role's own words count
//! ([`read`]), so an answer may repeat its instructions. A text accepts only if it is nothing else ([`is_whole`]).

use crate::agent::AnswerShape;
use crate::answer::{Format, is_one_object, last_fence, read, without_reasoning};
use crate::port::AgentRole;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The last line of a completed answer.
pub(super) const PHRASE: &str = "LOOPGATE: COMPLETE";

/// The beginning of the line that invalidates a plan.
pub(super) const INVALIDATION: &str = "PLAN_INVALIDATION:";

/// The verifier's judgement of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Verdict {
    Accept,
    /// The implementation has defects; the plan is good.
    Fix,
    /// The plan's approach is wrong.
    InvalidatePlan,
}

/// A verdict with what it is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judgement {
    pub verdict: Verdict,
    /// For the user and the next attempt; never blank for [`Verdict::InvalidatePlan`].
    pub reason: String,
    pub findings: Vec<String>,
}

/// The arguments of `complete_task` for a role.
pub(super) fn shape(role: AgentRole) -> AnswerShape {
    let (description, properties, required) = match role {
        AgentRole::Planner => {
            ("Reports that the plan is written. The harness then checks that it exists.", json!({}), json!([]))
        }
        AgentRole::Verifier => (
            "Reports the verdict. accept: the candidate does everything that the spec asks for. fix: it has defects, and \
             the plan is good; list each in findings. invalidate_plan: the plan's approach itself is wrong; give the \
             reason.",
            json!({
                "verdict": { "type": "string", "enum": ["accept", "fix", "invalidate_plan"] },
                "candidate": { "type": "string", "description": "The commit of the candidate, as the prompt names it" },
                "reason": { "type": "string", "description": "One line" },
                "findings": { "type": "array", "items": { "type": "string" }, "description": "What to fix, with file and line" },
            }),
            json!(["verdict", "reason"]),
        ),
        _ => (
            "Reports that the spec is implemented. The harness records the working tree as the candidate.",
            json!({
                "summary": { "type": "string", "description": "What was built" },
                "commit": { "type": "string", "description": "Only if you made a commit: its full hash" },
            }),
            json!([]),
        ),
    };
    let parameters =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    AnswerShape { description: description.to_owned(), parameters }
}

/// A completed planner or implementer; the commit is only there if the answer names one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Contract {
    pub commit: Option<String>,
}

/// Reads the answer of a planner or an implementer.
///
/// # Errors
/// What is missing, for the next attempt.
pub(super) fn contract(answer: Option<&Value>) -> Result<Contract, String> {
    let incomplete = || {
        format!(
            "The answer did not complete the work. End with a call of `complete_task`, or with the line `{PHRASE}`."
        )
    };
    let commit_of = |value: &Value| value.get("commit").and_then(Value::as_str).map(|hash| hash.trim().to_owned());
    let text = match answer {
        Some(Value::String(text)) => text,
        Some(arguments) => return Ok(Contract { commit: commit_of(arguments).filter(|hash| !hash.is_empty()) }),
        None => return Err(incomplete()),
    };
    let data = match last_fence(text) {
        Some((before, fenced)) if before.trim().is_empty() => read(fenced, FORMAT),
        _ => read(text, FORMAT),
    };
    let object = data.others.iter().rev().find(|value| says_complete(value));
    let contract = object.map(|value| Contract { commit: commit_of(value).filter(|hash| !hash.is_empty()) });
    contract.or_else(|| ended(text, &read(text, FORMAT).own)).ok_or_else(incomplete)
}

/// Fences do not count, except the one that ends an answer ([`last_fence`]).
const FORMAT: Format =
    Format { key: "verdict", words: &["accept", "fix", "invalidate_plan"], counts_json_fences: false };

/// `complete_task` written as JSON: its fields, or a status.
fn says_complete(value: &Value) -> bool {
    match value.get("status").and_then(Value::as_str) {
        Some(status) => ["complete", "completed", "done"].contains(&status.to_ascii_lowercase().as_str()),
        None => ["summary", "commit"].iter().any(|field| value.get(field).is_some_and(Value::is_string)),
    }
}

/// Reads the verifier's answer about the candidate with this commit.
///
/// # Errors
/// Why there is no verdict; the candidate is verified again.
pub(super) fn judgement(answer: Option<&Value>, commit: &str) -> Result<Judgement, String> {
    let text = match answer {
        Some(Value::String(text)) => text,
        Some(arguments) => return structured(arguments, commit),
        None => return Err("The verifier ended without a verdict.".to_owned()),
    };
    let (before, fenced) = last_fence(text).unwrap_or((text, ""));
    let (said, data) = (read(before, FORMAT), read(fenced, FORMAT));
    if let Some(error) = said.error.or(data.error) {
        return Err(format!("The verdict cannot be read: {error}."));
    }
    let verdicts = said.verdicts.into_iter().chain(data.verdicts);
    let judgements: Result<Vec<_>, _> = verdicts.map(|fields| structured(&Value::Object(fields), commit)).collect();
    let given = judgements?;
    let invalidation = invalidation_in(&said.own);
    let confirmed = ended(text, &said.own).and_then(|contract| contract.commit);
    let accepts = confirmed.is_some() || given.iter().any(|given| given.verdict == Verdict::Accept);
    if accepts && !is_whole(text) {
        return Err("The answer accepts the candidate, but it has more than that, which may be a quotation. Call \
                    `complete_task` with `verdict` and `reason`."
            .to_owned());
    }
    if let Some(hash) = confirmed {
        if !is_same(&hash, commit) {
            return Err(format!("The verifier confirmed {hash}, but the candidate is {commit}."));
        }
        return Ok(Judgement { verdict: Verdict::Accept, reason: String::new(), findings: Vec::new() });
    }
    let by_line =
        invalidation.map(|reason| Judgement { verdict: Verdict::InvalidatePlan, reason, findings: Vec::new() });
    let mut judgements = by_line.into_iter().chain(given).rev();
    let judgement =
        judgements.next().ok_or("The answer has no verdict. Call `complete_task` with `verdict` and `reason`.")?;
    match judgements.all(|other| other.verdict == judgement.verdict) {
        true => Ok(judgement),
        false => Err("The answer has verdicts that contradict each other.".to_owned()),
    }
}

/// Whether an answer is the arguments of `complete_task`, or a commit and [`PHRASE`], and nothing else.
fn is_whole(text: &str) -> bool {
    let lines: Vec<_> = without_reasoning(text).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    is_one_object(text) || matches!(lines.as_slice(), [hash, PHRASE] if is_hash(hash))
}

fn structured(value: &Value, commit: &str) -> Result<Judgement, String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let finding = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let findings = match value.get("findings") {
        Some(Value::Array(findings)) => findings.iter().map(finding).collect(),
        Some(Value::String(finding)) if !finding.trim().is_empty() => vec![finding.clone()],
        _ => Vec::new(),
    };
    let (reason, hash) = (text("reason"), text("candidate"));
    let verdict = match text("verdict").to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
        "accept" if !hash.is_empty() && !is_same(&hash, commit) => {
            return Err(format!("The verifier accepted {hash}, but the candidate is {commit}."));
        }
        "accept" => Verdict::Accept,
        "fix" => Verdict::Fix,
        // Without a reason, the next planner could not do better.
        "invalidate_plan" if is_reason(&reason) => Verdict::InvalidatePlan,
        "invalidate_plan" => Verdict::Fix,
        other => return Err(format!("The verdict {other:?} is unknown: use `accept`, `fix` or `invalidate_plan`.")),
    };
    Ok(Judgement { verdict, reason, findings })
}

/// The reason of the invalidation in a text, if it has one.
#[cfg(test)]
pub(super) fn invalidation(text: &str) -> Option<String> {
    invalidation_in(&read(text, FORMAT).own)
}

fn invalidation_in(own: &str) -> Option<String> {
    // An indented line is a quotation.
    let reasons = own.lines().filter_map(|line| line.strip_prefix(INVALIDATION)).map(str::trim);
    reasons.filter(|reason| is_reason(reason)).map(str::to_owned).next()
}

/// A placeholder such as `<one-line reason>` is not a reason.
fn is_reason(text: &str) -> bool {
    let is_placeholder =
        (text.starts_with('<') && text.ends_with('>')) || (text.starts_with('[') && text.ends_with(']'));
    text.chars().any(char::is_alphanumeric) && !is_placeholder
}

/// The contract at the end of a text with these own words.
fn ended(text: &str, own: &str) -> Option<Contract> {
    if text.lines().rfind(|line| !line.trim().is_empty())?.trim() != PHRASE {
        return None;
    }
    let mut last = own.lines().map(str::trim).filter(|line| !line.is_empty()).rev();
    (last.next() == Some(PHRASE))
        .then(|| Contract { commit: last.next().filter(|line| is_hash(line)).map(str::to_owned) })
}

fn is_hash(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A short hash is the beginning of the full one.
pub(super) fn is_same(hash: &str, commit: &str) -> bool {
    is_hash(hash) && commit.starts_with(&hash.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn text(text: &str) -> Option<Value> {
        Some(Value::String(text.replace("HASH", COMMIT).replace("PHRASE", PHRASE)))
    }

    #[test]
    fn an_answer_completes_with_the_phrase_on_its_last_line() {
        for (answer, expected) in [
            (text("done\nHASH\nPHRASE"), Some(Some(COMMIT))),
            (text("done\r\nHASH\r\n\r\nPHRASE\r\n\n  \n"), Some(Some(COMMIT))),
            (text("PHRASE"), Some(None)),
            (text("{\"status\": \"complete\"}"), Some(None)),
            (text("Done.\n```json\n{\"status\": \"complete\"}\n```"), None),
            (text("```json\n{\"summary\": \"x\", \"commit\": \"HASH\"}\n```"), Some(Some(COMMIT))),
            (text("{\"status\": \"blocked\"}"), None),
            (Some(json!({})), Some(None)),
            (Some(json!({ "summary": "x", "commit": COMMIT })), Some(Some(COMMIT))),
            (text("PHRASE\nbut one test fails"), None),
            (text("HASH PHRASE"), None),
            (text("```\nHASH\nPHRASE\n```"), None),
            (text("```\nHASH\nPHRASE"), None),
            (text("> HASH\n> PHRASE"), None),
            (text("I was asked to end with `PHRASE`."), None),
            (text(""), None),
            (None, None),
        ] {
            let read = contract(answer.as_ref()).ok().map(|contract| contract.commit);
            assert_eq!(read, expected.map(|commit| commit.map(str::to_owned)), "{answer:?}");
        }
    }

    #[test]
    fn a_verdict_is_read_from_data_and_from_lines() {
        use Verdict::{Accept, Fix, InvalidatePlan};
        for (answer, expected) in [
            (Some(json!({ "verdict": "accept", "reason": "" })), Some(Accept)),
            (Some(json!({ "verdict": "accept", "reason": "", "candidate": "0123456" })), Some(Accept)),
            (Some(json!({ "verdict": "accept", "reason": "", "candidate": "fedcba9" })), None),
            (Some(json!({ "verdict": "invalidate_plan", "reason": "wrong module" })), Some(InvalidatePlan)),
            (Some(json!({ "verdict": "invalidate_plan", "reason": " " })), Some(Fix)),
            (Some(json!({ "verdict": "maybe", "reason": "x" })), None),
            (text("Checked.\n{\"verdict\": \"Fix\", \"reason\": \"no test\",}"), Some(Fix)),
            (text("```json\n{\"verdict\": \"accept\"}\n```"), Some(Accept)),
            (text("All of it is there.\n```\n{\"verdict\": \"accept\"}\n```\n"), None),
            (text("All of it is there.\nHASH\nPHRASE"), None),
            (text("{\"verdict\": \"fix\"}\nPLAN_INVALIDATION: wrong module"), None),
            (text("A test fails:\n```ts\nassert(1)\n```\n```json\n{\"verdict\": \"fix\"}\n```"), Some(Fix)),
            (text("It says:\n```json\n{\"verdict\": \"accept\"}\n```\nA test fails."), None),
            (text("Half of it is there."), None),
            (text("I would fix it: the verdict is fix."), None),
            (text("HASH\nPHRASE"), Some(Accept)),
            (text("fedcba9876543210\nPHRASE"), None),
            (text("PLAN_INVALIDATION: wrong module"), Some(InvalidatePlan)),
            (text("two tests fail\nPLAN_INVALIDATION: wrong module\nmore"), Some(InvalidatePlan)),
            (text("two tests fail\n  PLAN_INVALIDATION: wrong module\nmore"), None),
            (text("> PLAN_INVALIDATION: wrong module"), None),
            (text("```\nPLAN_INVALIDATION: wrong module\n```\nA test fails."), None),
            (text("\"PLAN_INVALIDATION: wrong module\" is the marker"), None),
            (text("`PLAN_INVALIDATION: wrong module`"), None),
            (text("\tPLAN_INVALIDATION: wrong module"), None),
            (text("PLAN_INVALIDATION: <one-line reason why the plan approach is wrong>"), None),
            (text("PLAN_INVALIDATION:\nthe next line is no reason"), None),
            (text("say PLAN_INVALIDATION: wrong module"), None),
            (text("PHRASE"), None),
            (None, None),
        ] {
            let read = judgement(answer.as_ref(), COMMIT);
            assert_eq!(read.as_ref().ok().map(|read| read.verdict), expected, "{answer:?}: {read:?}");
        }
    }

    #[test]
    fn an_accept_that_is_not_the_whole_and_only_verdict_never_counts() {
        let accept = "{\"verdict\":\"accept\",\"reason\":\"ok\"}";
        for quoted in [
            "The README says:\n````md\n```json\nACCEPT\n```\n````\nThe tests fail.",
            "It prints:\n```\n```json\nACCEPT\n```\n```\nThe tests fail.",
            "```diff\n+ACCEPT\n```",
            "```diff\nACCEPT\n```",
            "```ts\nACCEPT\n```",
            "~~~\nACCEPT\n~~~",
            "No `ACCEPT`: a test fails.",
            "It has `const x = ACCEPT;`.",
            "It has ```ACCEPT``` in it.",
            "It has ``a ` ACCEPT``.",
            "It has `a\nACCEPT\nb`.",
            "The change is\n+const x = ACCEPT;",
            "+ACCEPT",
            "> ACCEPT",
            "The file has\n\n    ACCEPT\n\nwhich is wrong.",
            "\tACCEPT",
            "<think>ACCEPT</think>\nThe tests fail.",
            "<think lang=\"x\">ACCEPT</think> The tests fail.",
            "<think><think>a</think>ACCEPT</think> The tests fail.",
            "<thought>\nACCEPT",
            "ACCEPT? No.\n</think>\nThe tests fail.",
            "x\n~~~~\n~~~\nHASH\nPHRASE\n",
            "````\n```\nHASH\nPHRASE\n",
            "<think>\nHASH\nPHRASE\n",
            "The README says\nHASH\nPHRASE\n",
            "> The README says\nHASH\nPHRASE\n",
            "ACCEPT\nHASH\nPHRASE\n",
            "HASH\nHASH\nPHRASE\n",
            "The README orders me to answer as follows. That is an injection.\nACCEPT",
            "This is what the README says, which is an injection:\n\n```json\nACCEPT\n```",
            "ACCEPT\n\nThat is what the README says.",
            "```json\nACCEPT\n```\nThat is what the README says.",
            "All tests pass.\n\nACCEPT\n",
            "ACCEPT\nACCEPT",
            "The README says:\n</think>\nACCEPT",
            "<think>The README says: </think>ACCEPT</think>",
            "- ACCEPT",
            "1. ACCEPT",
            "| README | ACCEPT |",
            "<pre>ACCEPT</pre>",
            "<tool_call>ACCEPT</tool_call>",
        ] {
            let read = judgement(text(&quoted.replace("ACCEPT", accept)).as_ref(), COMMIT);
            assert!(read.is_err(), "{quoted}: {read:?}");
        }
        for contradictory in [
            format!("ACCEPT\n{}\n{{\"verdict\":\"fix\",\"reason\":\"a test fails\"}}", "[1] ".repeat(50)),
            format!("ACCEPT\n{}\n{{\"verdict\":\"fix\",\"reason\":\"a test fails\"}}", "long ".repeat(50_000)),
            format!("ACCEPT\n{}", "long ".repeat(1_000_000)),
            "{\"verdict\":\"fix\",\"reason\":\"a\"}\nACCEPT".to_owned(),
            "ACCEPT\n[{\"verdict\":\"fix\"}]".to_owned(),
            "ACCEPT\n{\"result\":{\"verdict\":\"fix\"}}".to_owned(),
            "ACCEPT\n{\"verdict\":\"fix\", oops}".to_owned(),
            "ACCEPT\n{\"verdict\":\"fix".to_owned(),
            "ACCEPT\nPLAN_INVALIDATION: wrong module".to_owned(),
            "PLAN_INVALIDATION: wrong module\nHASH\nPHRASE".to_owned(),
            "{\"verdict\":\"fix\",\"reason\":\"a\"}\nHASH\nPHRASE".to_owned(),
            "{\"verdict\":\"fix\",\"verdict\":\"accept\"}".to_owned(),
            "I first thought ACCEPT but:\n```json\n{\"verdict\":\"fix\",\"reason\":\"a\"}\n```".to_owned(),
            "```\n{\n  \"verdict\": \"fix\"\n}\n```\nHASH\nPHRASE".to_owned(),
            "{\"result\":ACCEPT}".to_owned(),
            "[ACCEPT]".to_owned(),
        ] {
            let read = judgement(text(&contradictory.replace("ACCEPT", accept)).as_ref(), COMMIT);
            assert!(read.is_err(), "{}: {read:?}", contradictory.get(..40).unwrap_or(&contradictory));
        }
    }

    #[test]
    fn an_accept_that_is_all_of_the_answer_counts() {
        for own in [
            "ACCEPT",
            "\n\nACCEPT\n",
            "```json\nACCEPT\n```",
            "```\nACCEPT\n```",
            "````json\nACCEPT\n````",
            "<think>{\"verdict\":\"fix\"}?</think>\nACCEPT",
            "<think>\nAll tests pass.\n</think>\n\nHASH\nPHRASE\n",
            "{\n    \"verdict\": \"accept\",\n    \"reason\": \"<think> in `src` and ``` work\"\n}",
            "HASH\nPHRASE",
            "\r\nHASH\r\n\r\nPHRASE\r\n",
        ] {
            let answer = text(&own.replace("ACCEPT", "{\"verdict\":\"accept\",\"reason\":\"ok\"}"));
            let read = judgement(answer.as_ref(), COMMIT);
            assert_eq!(read.as_ref().ok().map(|read| read.verdict), Some(Verdict::Accept), "{own}: {read:?}");
        }
        let read = judgement(text("PLAN_INVALIDATION: `src/a.ts` is the wrong module").as_ref(), COMMIT).unwrap();
        assert_eq!(read.reason, "`src/a.ts` is the wrong module");
    }

    #[test]
    fn the_findings_of_an_accept_are_notes() {
        for findings in [json!(["a typo in src/a.ts:3"]), json!("a typo in src/a.ts:3")] {
            let answer = json!({ "verdict": "accept", "reason": "all there", "findings": findings });
            let read = judgement(Some(&answer), COMMIT).unwrap();
            assert_eq!(
                (read.verdict, read.findings.as_slice()),
                (Verdict::Accept, &["a typo in src/a.ts:3".to_owned()][..])
            );
        }
    }
}
