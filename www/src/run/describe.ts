/** Describes events for the timeline: one line, and details if there are any. */
import type { GateReport, Phase, PlanReport, RunEvent, RunResult, StopReason, VerificationResult } from 'loopgate';
import { SPEC_VERDICTS } from '../specs/progress';
import type { Detail, Entry, Tone } from './entry';

type Description = Omit<Entry, 'key' | 'at'>;
type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** The label of a failed call of the model. */
export const FAILED_CALL = 'Model';

/**
 * `null` for an event without a line of its own: it is streamed, merged into another line, or only counted. `branch` is that of the run.
 * `call`: the number of a failed call, such as `Call 2 of 6`.
 */
export function describe(event: RunEvent, branch = 'the branch of the spec', call?: string): Description | null {
  switch (event.type) {
    case 'run-started':
      return line('active', 'Run', `Started: ${workTitle(event.work)}`, note((event.notes ?? event.skipped?.map(({ path, reason }) => `Skipped ${path}: ${reason}`) ?? []).join('\n')));
    case 'run-resumed':
      return line('active', 'Run', 'Resumed where it was interrupted', note(event.repaired.join('\n')));
    case 'phase-changed':
      return line('active', 'Phase', `${phaseName(event.from)} → ${phaseName(event.to)}: ${event.why}`);
    case 'iteration-started':
      return line('active', 'Iteration', `Iteration ${event.iteration}: the ${event.role} starts with a fresh context of ${bytes(event.promptBytes)}`);
    case 'tool-call':
      return line('neutral', 'Tool', toolTitle(event), { kind: 'tool', id: event.id, name: event.name, args: event.args });
    case 'file-changed':
      return event.by === 'harness' ? line('neutral', 'Files', `The harness ${event.change} ${event.path}`, { kind: 'files', own: false, paths: [event.path] }) : null;
    case 'user-changed':
      return userLine(event);
    case 'harness-files-changed':
      return filesLine(event.paths, true);
    case 'write-denied':
      return line('warn', 'Denied', event.undone ? `${event.path} was ${event.undone} by a command or a tool, and is taken back: ${event.rule}` : `Write to ${event.path} was denied: ${event.rule}`);
    case 'plan-checked':
      return planLine(event.report, event.asks);
    case 'plan-context':
      return line(event.theme.applied ? 'good' : 'warn', 'Plan', contextTitle(event), { kind: 'context', theme: event.theme, sections: event.sections });
    case 'completion-refused':
      return line('warn', 'Plan', 'The agent claimed completion without a plan: refused', note(event.feedback));
    case 'spec-started':
      return line('active', 'Spec', `${event.spec}: ${specStart(event)}`, note(event.repaired.join('\n')));
    case 'plan-accepted':
      return line('good', 'Plan', `Plan ${event.attempt} is written`);
    case 'attempt-failed':
      return line('warn', 'Attempt', `The attempt of the ${event.role} failed`, note(event.feedback));
    case 'candidate-recorded':
      return line('good', 'Spec', `The implementation is recorded as candidate ${event.candidate.commit.slice(0, 7)}`);
    case 'candidate-outdated':
      return line('warn', 'Spec', 'Files changed during the verification: it is repeated', note(event.paths.join('\n')));
    case 'verdict-unreadable':
      return line('warn', 'Verdict', 'The answer has no verdict: the verifier is asked again', note(event.reason));
    case 'verification-inconclusive':
      return line('warn', 'Verify', 'The verification could not run', note(event.reason));
    case 'verdict-given': {
      const { tone, text } = SPEC_VERDICTS[event.verdict];
      return line(tone, 'Verdict', event.reason ? `${text}: ${event.reason}` : text, note(event.findings.join('\n')));
    }
    case 'plan-invalidated':
      return line('warn', 'Plan', `Plan ${event.attempt} is archived. The next planner gets it with the reason: ${event.reason}`);
    case 'spec-finished':
      return line('good', 'Spec', `${event.spec} is done${event.commit ? `, and committed to ${event.branch} as ${event.commit.slice(0, 7)}` : ''}`);
    case 'branch-prepared':
      return line('active', 'Branch', `Works on ${event.branch}${event.baseBranch ? `, which started from ${event.baseBranch}` : ''}`, note(event.dirty.length ? `Not part of the commit:\n${event.dirty.join('\n')}` : ''));
    case 'chunks-proposed':
      return line('good', 'Chunks', `${count(event.chunks.length, 'chunk')} proposed: review them before anything runs`, note(event.chunks.map(({ title }) => title).join('\n')));
    case 'proposal-rejected':
      return line('warn', 'Chunks', 'The proposed chunks are not usable: the planner is asked again', note(event.feedback));
    case 'chunks-approved':
      return line('good', 'Chunks', `${count(event.chunks.length, 'chunk')} approved`);
    case 'run-prepared':
      return line('active', 'Branch', `Works on ${event.branch}: ${count(Object.keys(event.shipped).length, 'chunk')} shipped so far`, note(event.repaired.join('\n')));
    case 'chunk-started':
      return line('active', 'Chunk', `${event.chunk} starts`, note(event.feedback ?? ''));
    case 'attempt-started':
      return line('active', 'Attempt', `Attempt ${event.attempt} starts`);
    case 'branch-moved':
      return line('active', 'Branch', `You committed on ${branch}: the run goes on from ${event.to.slice(0, 7)}`);
    case 'attempt-recorded':
      return line('good', 'Attempt', `The executor changed ${count(event.files.length, 'file')}`, note(event.files.map(({ path }) => path).join('\n')));
    case 'verification-finished':
      return event.feedback === null ? null : line('bad', 'Verify', 'The verification failed', note(event.feedback));
    case 'review-unreadable':
      return line('warn', 'Review', `The ${event.tier} review has no verdict: the reviewer is asked again`, note(event.reason));
    case 'attempt-rejected':
      return line('warn', 'Attempt', 'The attempt is rejected', note(event.feedback));
    case 'attempt-reverted':
      return revertedLine(event);
    case 'chunk-committed':
      return line('good', 'Chunk', `${event.chunk} is committed as ${event.commit.slice(0, 7)}`);
    case 'chunk-failed':
      return line('bad', 'Chunk', `${event.chunk} failed: ${event.reason}`, note(event.blocked.map(([chunk, by]) => `${chunk} waits for ${by}`).join('\n')));
    case 'pull-request-drafted':
      return line('good', 'Chunks', `The pull request is drafted in ${event.path}`);
    case 'question-asked':
      return line('warn', 'Question', event.question.text);
    case 'question-answered':
      return line('active', 'You', answerTitle(event.answer));
    case 'gate-checked':
      return gateLine(event);
    case 'fixes-applied':
      return line('neutral', 'Gate', `The harness applied the fixes of ${event.gates.join(', ')}`);
    case 'evidence-outdated':
      return line('warn', 'Gate', 'Files changed after the gates ran: they run again', note(event.paths.join('\n')));
    case 'verification-checked':
      return line(stepTone(event.result), 'Verify', `${event.result.step}: ${event.result.outcome}`, note(event.result.output));
    case 'review-given':
      return line(event.review.decision === 'SHIP' ? 'good' : 'bad', 'Review', `${event.tier} review: ${event.review.decision}, ${count(event.review.summary.total, 'issue')}`);
    case 'snapshot-saved':
      return line('good', 'Snapshot', `Saved ${event.snapshot.tag}: ${count(event.snapshot.files, 'file')}, ${event.snapshot.changed} changed`);
    case 'snapshot-skipped':
      return line('warn', 'Snapshot', `${event.tag} was not saved: git is missing`);
    case 'snapshot-restored':
      return line('good', 'Snapshot', `Rolled back to ${event.tag}: restored ${event.restored}, deleted ${event.deleted}`);
    case 'stall-detected':
      return line('warn', 'Stall', `No progress${stuckOn(event)}: recovery ${event.recovery}`, note(event.feedback));
    case 'budget-warning':
      return line('warn', 'Budget', `${event.limit}: ${event.used} of ${event.max} used`);
    case 'steered':
      return line('active', 'You', event.message);
    case 'config-warning':
      return line('warn', 'Configuration', event.warning.message);
    case 'status':
      return line('neutral', 'Status', event.text);
    case 'iteration-finished':
      if (event.fault) return failedCallLine(event.fault, call);
      return line('neutral', 'Iteration', `Iteration ${event.iteration} ended: ${count(event.toolCalls, 'tool call')}, ${count(event.filesChanged.length, 'file')} changed`);
    case 'context-shortened':
      return line('neutral', 'Context', `The conversation was shortened from about ${event.before} to ${event.after} tokens`);
    case 'run-finished':
      return line(resultTone(event.result), 'Run', resultTitle(event.result));
    case 'run-failed':
      return line('bad', 'Run', `Failed (${event.error.code}): ${event.error.message}`);
    case 'text-delta':
    case 'reasoning-delta':
    case 'model-answered':
    case 'question-unanswered':
    case 'tool-delta':
    case 'tool-result':
    case 'usage':
    case 'spending-read':
    case 'provider-data':
    case 'task-started':
    case 'theme-started':
    case 'plan-prepared':
    case 'write-started':
    case 'unguarded-started':
    case 'unguarded-ended':
    case 'log-written':
    case 'gates-finished':
    case 'waited':
    case 'abort-requested':
    case 'config-loaded':
    case 'limits-changed':
    case 'state-read':
    case 'summary-written':
      return null;
    default:
      event satisfies never;
      // A newer version of the package may have more events.
      return null;
  }
}

/** The announcement for a batch of events; may be empty. */
export const spoken = (events: readonly RunEvent[]): string =>
  events.filter(isImportant).flatMap((event) => describe(event)?.title ?? []).join('; ');

function isImportant(event: RunEvent): boolean {
  switch (event.type) {
    case 'run-started':
    case 'run-resumed':
    case 'phase-changed':
    case 'plan-checked':
    case 'spec-started':
    case 'verdict-given':
    case 'spec-finished':
    case 'chunks-proposed':
    case 'chunk-started':
    case 'attempt-reverted':
    case 'chunk-committed':
    case 'chunk-failed':
    case 'snapshot-restored':
    case 'stall-detected':
    case 'run-finished':
    case 'run-failed':
      return true;
    case 'gate-checked':
      return event.report.verdict !== 'pass';
    default:
      return false;
  }
}

function answerTitle(answer: EventOf<'question-answered'>['answer']): string {
  switch (answer.decision) {
    case 'allow':
      return answer.note ? `Allowed: ${answer.note}` : 'Allowed';
    case 'revise':
      return `Sent back: ${answer.reason ?? 'no reason given'}`;
    case 'deny':
      return `Denied: ${answer.reason ?? 'no reason given'}`;
  }
}

function stepTone({ outcome, required }: VerificationResult): Tone {
  if (outcome === 'passed') return 'good';
  return outcome === 'skipped' ? 'neutral' : required ? 'bad' : 'warn';
}

export function workTitle(work: EventOf<'run-started'>['work']): string {
  switch (work.kind) {
    case 'task':
      return work.message;
    case 'spec':
      return work.path ?? 'Specs that are not done';
    case 'chunks':
      return `The chunks of ${work.spec}`;
  }
}

const REASONS: Record<StopReason, string> = {
  done: 'Done',
  'needs-clarification': 'The task is unclear: answer the questions first',
  waiting: 'The agent is waiting for you',
  aborted: 'Stopped by you',
  'gates-failed': 'Failed: the gates failed too many times in a row',
  'max-iterations': 'Failed: no iterations left',
  'max-attempts': 'Failed: no attempts left',
  'plan-not-converging': 'Failed: the plan does not converge',
  stalled: 'Failed: the agent made no progress',
  budget: 'Stopped: the budget is used up',
  blocked: 'Blocked: the run cannot continue',
  'nothing-to-do': 'Nothing to do',
};

export function resultTitle(result: RunResult): string {
  // It says what is shown, verified or shipped, and which gates warn.
  if (result.success && result.message) return result.message;
  const title = REASONS[result.reason];
  return result.success || !result.message || result.reason === 'aborted' ? title : `${title}. ${result.message}`;
}

export function resultTone(result: RunResult): Tone {
  if (result.success) return 'good';
  return result.reason === 'aborted' || result.reason === 'waiting' || result.reason === 'needs-clarification' ? 'warn' : 'bad';
}

const phaseName = (phase: string): string => phase.toUpperCase();
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The time of day, to the second. */
export const clock = (at: number): string => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

export function bytes(size: number): string {
  return size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`;
}

/** A run tries again only after some faults. */
function failedCallLine({ kind, message }: NonNullable<EventOf<'iteration-finished'>['fault']>, call: string | undefined): Description {
  const mayTryAgain = kind === 'rate-limited' || kind === 'unavailable';
  return line('warn', FAILED_CALL, mayTryAgain && call ? `${call}: ${message}` : message);
}

/** What the run does first with a spec. */
function specStart({ candidate, planned, attempt, reason }: EventOf<'spec-started'>): string {
  if (candidate) return 'its candidate is verified';
  if (planned) return `plan ${attempt} is implemented`;
  return reason ? `plan ${attempt} is due. ${reason}` : `plan ${attempt} is due`;
}

function planLine(report: PlanReport, asks = false): Description {
  const warnings = report.warnings.length ? `, ${count(report.warnings.length, 'warning')}` : '';
  const first = report.failures[0];
  const title = first ? `Plan refused: ${first.message}` : `Plan is valid${warnings}${asks ? ', and waits for you' : ''}`;
  return line(report.ok ? 'good' : 'bad', 'Plan', title, { kind: 'plan', report });
}

export function filesLine(paths: string[], own: boolean): Description {
  const files = paths.length === 1 ? paths[0] : own ? `${paths.length} of its own files` : `${paths.length} files`;
  return line('neutral', 'Files', `The harness wrote ${files}`, { kind: 'files', own, paths });
}

const USER_CHANGES = { created: 'created', modified: 'changed', deleted: 'deleted' } as const;
/** The number of files that a line names. */
const MAX_NAMED = 3;

function userLine({ files }: EventOf<'user-changed'>): Description | null {
  const [first] = files;
  if (!first) return null;
  if (files.length === 1) return line('active', 'You', `You ${USER_CHANGES[first.change]} ${first.path}`);
  const named = files.slice(0, MAX_NAMED).map(({ path }) => path).join(', ');
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : '';
  return line('active', 'You', `You changed ${files.length} files: ${named}${more}`, note(files.map(({ path, change }) => `${path}: ${change}`).join('\n')));
}

function revertedLine({ attempt, restored, deleted, conflicts = [] }: EventOf<'attempt-reverted'>): Description {
  const kept = conflicts.length ? `. ${count(conflicts.length, 'file')} ${conflicts.length === 1 ? 'stays' : 'stay'} as you left ${conflicts.length === 1 ? 'it' : 'them'}` : '';
  return line('warn', 'Attempt', `Attempt ${attempt} is reverted: ${count(restored.length, 'file')} restored, ${deleted.length} deleted${kept}`, note(conflicts.join('\n')));
}

/** `null` for a gate that does not apply: the list of gates shows it, and a line for each would hide the others. */
function gateLine({ report }: EventOf<'gate-checked'>): Description | null {
  if (report.notApplicable) return null;
  const tone = ({ pass: 'good', warn: 'warn', fail: 'bad', error: 'bad' } as const)[report.verdict];
  return line(tone, 'Gate', `${report.gate}: ${VERDICTS[report.verdict]}`, { kind: 'gate', report });
}

export const VERDICTS = { pass: 'passed', warn: 'warned', fail: 'failed', error: 'error' } as const;

/** The state of a round of gates. Without a failure, a round in an earlier phase may have been stopped. */
export function roundState(gates: GateReport[], phase: Phase | undefined): string {
  if (phase === 'check') return 'running';
  const judged = gates.filter((report) => !report.notApplicable);
  if (judged.length === 0) return 'stopped before any result';
  const failed = judged.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').length;
  if (failed > 0) return `${failed} of ${count(judged.length, 'gate')} failed`;
  return phase === 'review' || phase === 'accept' ? `all ${judged.length} passed` : `${judged.length} passed`;
}

function contextTitle({ theme, sections }: EventOf<'plan-context'>): string {
  const recipes = `${sections.filter((section) => section.found).length} of ${count(sections.length, 'recipe')} found`;
  return `${theme.applied ? 'Theme applied' : 'No theme applied'}, ${recipes}`;
}

/** The call with its main argument: `write_file src/App.tsx`. */
function toolTitle({ name, args }: EventOf<'tool-call'>): string {
  if (typeof args !== 'object' || args === null) return name;
  const { path, from, to, query, command, action } = args as Record<string, unknown>;
  const target = from && to ? `${from} → ${to}` : (path ?? query ?? command ?? action);
  return target === undefined ? name : `${name} ${String(target)}`;
}

/** ` on hero (MODIFY)`. */
function stuckOn({ section, marker }: EventOf<'stall-detected'>): string {
  if (!section) return '';
  return marker ? ` on ${section} (${marker})` : ` on ${section}`;
}

const line = (tone: Tone, label: string, title: string, detail?: Detail): Description => ({ tone, label, title, ...(detail && { detail }) });
const note = (text: string): Detail | undefined => (text ? { kind: 'note', text } : undefined);
