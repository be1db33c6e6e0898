//! What the user is asked: may the proposed chunks run, and is the pull request opened?

use super::list;
use super::state::Folder;
use super::{Chunks, Step};
use crate::error::ErrorCode;
use crate::port::{Answer, Decision, Usage};
use crate::run::fault::Fault;
use crate::run::machine::RunState;
use crate::run::options::StopReason;
use crate::text::{counted, counted_with};
use serde_json::{Value, json};

impl Chunks {
    /// What the user said about the present work: with the approval of the chunks, and since.
    pub(super) fn messages(&self, run: &RunState) -> Vec<String> {
        self.note.iter().chain(&run.steered).cloned().collect()
    }

    /// The text and the details of the question.
    pub(super) fn question_of_step(&self, usage: &Usage) -> (String, Value) {
        if self.step == Step::Approve {
            return (may_run(self.chunks.len(), self.spec()), json!(self.chunks));
        }
        let (branch, prepared) = (&self.prepared.branch, &self.prepared);
        let base = prepared.base_branch.as_ref().or(prepared.base.as_ref()).map_or("", String::as_str);
        let body = self.summaries(usage);
        let draft = json!({ "branch": branch, "base": base, "title": self.title, "body": body });
        (format!("Open a pull request from {branch} to {base}?"), draft)
    }

    /// The proposal is rejected, and the planner makes another one, up to the limit.
    pub(super) fn propose_again(&mut self, feedback: &str, run: &mut RunState) {
        feedback.clone_into(&mut run.feedback);
        self.proposals += 1;
        self.step = Step::Propose;
        if self.proposals >= run.limits.max_attempts {
            let message =
                format!("The planner proposed no usable steps in {}: {feedback}", counted(self.proposals, "attempt"));
            run.stop(StopReason::MaxAttempts, &message);
        }
    }

    pub(super) fn answered(&mut self, answer: &Answer, run: &mut RunState) {
        let reason = answer.reason.as_deref().unwrap_or("no reason was given");
        match (self.step, answer.decision) {
            (Step::Approve, Decision::Allow) => {
                match answer.value.clone().map(list::from_value) {
                    None => {}
                    Some(Ok(chunks)) => self.chunks = chunks,
                    // Only without the host's secrets.
                    Some(Err(problem)) => {
                        let message = format!("the approved chunks are unusable without the host's secrets: {problem}");
                        return run.fail(Fault::new(ErrorCode::InvalidArgument, message));
                    }
                }
                self.note.clone_from(&answer.note);
                self.step = Step::SaveChunks;
            }
            (Step::Approve, Decision::Revise) => self.propose_again(reason, run),
            (Step::Approve, Decision::Deny) => {
                run.stop(StopReason::Blocked, &format!("The proposed steps are not approved: {reason}"));
            }
            (_, decision) => {
                self.unopened = (decision != Decision::Allow).then(|| reason.to_owned());
                self.end(run);
            }
        }
    }

    /// The host has no hook.
    pub(super) fn unanswered(&mut self, id: &str, run: &mut RunState) {
        if self.step != Step::Approve {
            return self.end(run);
        }
        let proposed = counted_with(self.chunks.len(), "step", ["is", "are"]);
        let folder = Folder(self.spec());
        let (from, to) = (folder.proposed(), folder.chunks());
        let message = format!(
            "{proposed} proposed in {from}. Review the file, and resume the run with an answer to the question {id}; or save \
             it as {to}, and start a new run."
        );
        run.stop(StopReason::Waiting, &message);
    }

    /// Why the pull request was not opened, for the result; empty without a refusal.
    pub(super) fn unopened(&self) -> String {
        let Some(why) = &self.unopened else { return String::new() };
        format!(" The pull request was not opened: {why}. Its draft is {}.", Folder(self.spec()).pull_request())
    }

    /// The chunks with their summaries, and the cost of this run: the body of the pull request.
    pub(super) fn summaries(&self, usage: &Usage) -> String {
        let mut body = String::new();
        for chunk in &self.chunks {
            let Some(shipped) = self.state.shipped.get(&chunk.id) else { continue };
            let short = shipped.commit.get(..7).unwrap_or_default();
            body += &format!("## {}\n\n", chunk.title.trim());
            if let Some(summary) = &shipped.summary {
                body += &format!("{}\n\n", summary.summary);
                body.extend(summary.verification_steps.iter().map(|step| format!("- {step}\n")));
            }
            body += &format!("Commit {short}, {}.\n\n", counted(shipped.files.len(), "file"));
        }
        let settings = &self.current.settings;
        let steps: Vec<&str> = match settings.verification.enabled {
            true => settings.verification.steps.iter().map(|step| step.name.as_str()).collect(),
            false => Vec::new(),
        };
        let verified = if steps.is_empty() { "not configured".to_owned() } else { steps.join(", ") };
        let cost = usage.cost_usd.map(|cost| format!(", ${cost:.2}")).unwrap_or_default();
        let final_review = if settings.reviews.r#final { "passed" } else { "not configured" };
        body += &format!(
            "## Checks\n\n- Verification of each step: {verified}\n- Final review: {final_review}\n- Usage of the last run: {} input \
             tokens, {} output tokens{cost}\n",
            usage.input_tokens, usage.output_tokens
        );
        body
    }
}

fn may_run(chunks: usize, spec: &str) -> String {
    let these = if chunks == 1 { "this step".to_owned() } else { format!("these {chunks} steps") };
    format!("May {these} of {spec} run?")
}
