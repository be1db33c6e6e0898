import { doing, mayIt } from './format/calls.js';
import { backupOf, finding, momentOf, PHASES, roleOf, ruleOf, spent } from './format/names.js';
import { failedLine, faultOf, line, resultLine, verdictsOf } from './format/result.js';
import { after, because, capital, count, duration, named, numbered, oneLine, rounded, wordsFor, type Maybe, type Partly } from './format/words.js';
import type { RunEvent } from './types/event.js';
import type { EventLine } from './types/format.js';

/** Events of other versions may lack fields. */
type Loose<Event> = Event extends { type: infer Type } ? { type: Type } & Partly<Omit<Event, 'type'>> : never;
type LooseEvent = Loose<RunEvent>;
type EventOf<Type extends RunEvent['type']> = Extract<LooseEvent, { type: Type }>;

/**
 * One line for people, in plain words; null for events that no person needs: streamed pieces, bookkeeping, and what another event
 * says. Never throws, and types that this version does not have are null.
 */
export function formatEvent(event: RunEvent): EventLine | null {
  try {
    return lineOf(event as LooseEvent);
  } catch {
    // A field of another version has another type.
    return null;
  }
}

const progress = (text: string): EventLine => line('progress', text);
const good = (text: string): EventLine => line('good', text);
const bad = (text: string): EventLine => line('bad', text);
const question = (text: string): EventLine => line('question', text);
const detail = (text: string): EventLine => line('detail', text);

function lineOf(event: LooseEvent): EventLine | null {
  switch (event.type) {
    case 'run-started':
      return progress(started(event));
    case 'run-resumed':
      return progress('Resumed where it was interrupted');
    case 'phase-changed':
      return progress(`${wordsFor(PHASES, event.to) ?? 'Working'}${because(event.why)}`);
    case 'iteration-started':
      return progress(`${numbered('Attempt', event.attempt)}: ${roleOf(event.role)} starts`);
    case 'iteration-finished':
      return event.fault ? bad(faultOf(event.fault)) : detail(`Ended after ${count(event.toolCalls, 'action')}, ${count(event.filesChanged?.length, 'file')} changed`);
    case 'model-answered':
      return event.text?.trim() && !DATA.test(event.text) ? detail(`Says: ${oneLine(event.text)}`) : null;
    case 'tool-call':
      return detail(doing(event.name, event.args));
    case 'tool-result':
      return event.ok === false ? detail(`That did not work${because(event.output?.trimStart().replace(/^Error: /, '').split('\n', 1)[0])}`) : null;
    case 'question-asked':
      return question(`Asks you: ${asked(event.question ?? {})}`);
    case 'question-answered':
      return answered(event);
    case 'steered':
      return progress(`Your message reached the agent${because(event.message)}`);

    case 'file-changed':
      return event.by === 'harness' ? detail(`loopgate ${changed(event)}`) : line(NOTES.test(event.path ?? '') ? 'detail' : 'progress', capital(changed(event)));
    case 'user-changed':
      return event.files?.length ? detail(`You ${userChanged(event.files)}`) : null;
    case 'write-denied':
      return bad(event.undone ? `Undone: a command or a tool ${wordsFor(USER_VERBS, event.undone) ?? 'changed'} ${oneLine(event.path) || 'a file'} (${ruleOf(event.rule)})` : `Not allowed: ${oneLine(event.path) || 'a file'} (${ruleOf(event.rule)})`);
    case 'snapshot-saved':
      return saved(event);
    case 'snapshot-skipped':
      return bad('Not saved: the project has no git');
    case 'snapshot-restored':
      return good(`Restored the project${after(' as it was ', momentOf(event.tag))}: ${count(event.restored, 'file')} restored, ${event.deleted ?? 0} removed`);

    case 'plan-checked':
      return planChecked(event);
    case 'plan-context':
      return planContext(event);
    case 'completion-refused':
      return bad('Refused: the agent reports that the work is done, but there is no plan');
    case 'gate-checked':
      return checked(event);
    case 'gates-finished':
      return requirements(event);
    case 'fixes-applied':
      return detail(`loopgate fixed what ${event.gates?.length === 1 ? 'a check' : 'checks'} found${because(event.gates?.map((gate) => finding({ gate, verdict: 'fail' })).join('; '))}`);
    case 'evidence-outdated':
      return progress('Files changed after the checks ran, so they run again');
    case 'stall-detected':
      return bad(`No progress${stuckOn(event)}, stall ${event.recovery ?? 1}: ${event.isLast ? 'the task ends' : 'the agent gets advice'}`);

    case 'spec-started':
      return progress(specStarted(event));
    case 'plan-accepted':
      return good(`${numbered('Plan', event.attempt)} is written`);
    case 'plan-invalidated':
      return bad(`${numbered('Plan', event.attempt)} is set aside, and a new one is written${because(event.reason)}`);
    case 'attempt-failed':
      return bad(`The attempt of ${roleOf(event.role)} failed`);
    case 'candidate-recorded':
      return good('The work is saved for its verification');
    case 'candidate-outdated':
      return progress('Files changed during the verification, so it runs again');
    case 'verdict-given':
      return verdict(event);
    case 'verdict-unreadable':
      return bad('The verifier gave no clear verdict and is asked again');
    case 'spec-finished':
      return good(`${oneLine(event.spec) || 'The spec'} is done${event.commit ? ` and committed${after(' to ', oneLine(event.branch))}` : ''}`);
    case 'branch-prepared':
      return detail(`Works on the branch ${oneLine(event.branch)}${after(', which started from ', oneLine(event.baseBranch))}`.trim());

    case 'chunks-proposed':
      return good(`${count(event.chunks?.length, 'step')} proposed`);
    case 'proposal-rejected':
      return bad('The proposed steps are not usable, so the planner is asked again');
    case 'chunks-approved':
      return good(`${count(event.chunks?.length, 'step')} approved`);
    case 'run-prepared':
      return detail(`Works on the branch ${oneLine(event.branch)}: ${count(Object.keys(event.shipped ?? {}).length, 'step')} done so far`);
    case 'chunk-started':
      return progress(`${step(event.chunk)} starts`);
    case 'attempt-started':
      return progress(`${numbered('Attempt', event.attempt)} at this step starts`);
    case 'branch-moved':
      return detail('The branch has another commit, so the run goes on from it');
    case 'attempt-recorded':
      return progress(event.files?.length ? `Changed ${count(event.files.length, 'file')}${after(': ', named(event.files.map(({ path }) => path)))}` : 'Changed no file');
    case 'verification-checked':
      return stepChecked(event);
    case 'verification-finished':
      return event.feedback ? bad('The verification failed') : event.warnings?.length ? good(`The verification passed with ${count(event.warnings.length, 'warning')}`) : null;
    case 'verification-inconclusive':
      return bad(`The verification could not run${because(event.reason)}`);
    case 'review-given':
      return reviewed(event);
    case 'review-unreadable':
      return bad(`${review(event.tier)}: no clear verdict, so the reviewer is asked again`);
    case 'attempt-rejected':
      return bad('The attempt is rejected');
    case 'attempt-reverted':
      return reverted(event);
    case 'chunk-committed':
      return good(`${step(event.chunk)} is done: ${count(event.files?.length, 'file')} committed`);
    case 'chunk-failed':
      return bad(stepFailed(event));
    case 'pull-request-drafted':
      return good(`The pull request is drafted${after(' in ', oneLine(event.path))}`);

    case 'budget-warning':
      return bad(capital(spent(event.limit, event.used ?? 0, event.max ?? 0)));
    case 'context-shortened':
      return detail(`The conversation was shortened from about ${rounded(event.before ?? 0)} to ${rounded(event.after ?? 0)} tokens`);
    case 'config-warning':
      return detail(`Configuration${because(event.warning?.message)}`);
    case 'wait-started':
      return progress(`Waiting ${duration((event.until ?? 0) - (event.at ?? event.until ?? 0))} before try ${event.attempt ?? 2} of ${event.of ?? 2}`);
    case 'status':
      return oneLine(event.text) ? detail(oneLine(event.text)) : null;
    case 'run-finished':
      return resultLine(event.result ?? {});
    case 'run-failed':
      return failedLine(event.error);

    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-delta':
    case 'question-unanswered':
    case 'write-started':
    case 'changes-unclear':
    case 'unguarded-started':
    case 'unguarded-ended':
    case 'user-edits':
    case 'harness-files-changed':
    case 'theme-started':
    case 'task-started':
    case 'plan-prepared':
    case 'log-written':
    case 'state-read':
    case 'summary-written':
    case 'usage':
    case 'spending-read':
    case 'provider-data':
    case 'config-loaded':
    case 'limits-changed':
    case 'waited':
    case 'abort-requested':
      return null;
    default:
      event satisfies never;
      return null;
  }
}

/** The work, and what the user should know about it from the start. */
function started(event: EventOf<'run-started'>): string {
  const text = `Started: ${work(event)}`;
  const notes = event.notes?.map((note) => capital(oneLine(note, 240))).join('. ');
  return `${text}${after(/[!?…]$/.test(text) ? ' ' : '. ', notes)}`;
}

function work(event: EventOf<'run-started'>): string {
  const { work } = event;
  switch (work?.kind) {
    case 'task':
      return oneLine(work.message) || 'a task';
    case 'spec':
      return oneLine(work.path) || 'all open specs';
    case 'chunks':
      return `the steps of ${oneLine(event.kind === 'chunks' ? event.title : undefined) || oneLine(work.spec)}`;
    default:
      return 'a run';
  }
}

function asked({ kind, text, details }: NonNullable<EventOf<'question-asked'>['question']>): string {
  if (kind === 'tool') {
    const { name, args, why } = (details ?? {}) as { name?: unknown; args?: unknown; why?: { reason?: string } };
    return `${mayIt(name, args)}${after(' ', capital(oneLine(why?.reason)))}`;
  }
  return oneLine(text) || 'Is this right?';
}

/** The approval of steps, and a pull request that was drafted, have events of their own. */
const ANSWERED_ELSEWHERE = /^(chunks|pull-request)-/;

function answered({ id, answer }: EventOf<'question-answered'>): EventLine | null {
  if (id?.startsWith('whose-')) return progress('Answered: whose the changes are');
  switch (answer?.decision) {
    case 'allow':
      return ANSWERED_ELSEWHERE.test(id ?? '') && !answer.note ? null : progress(`${id?.startsWith('plan-') ? 'The plan is approved' : 'Allowed'}${because(answer.note)}`);
    case 'revise':
      return progress(`Sent back${because(answer.reason)}`);
    case 'deny':
      return progress(`Denied${because(answer.reason)}`);
    default:
      return progress('Answered');
  }
}

/** The verdict of a reviewer, or the steps of a planner, which have events of their own. */
const DATA = /^\s*(```json\s*)?(\{|\[\s*\{)/;
/** The agent's notes are not part of the user's project. */
const NOTES = /^\.(ralph|loopgate|handoff)\//;
const USER_VERBS = { created: 'created', modified: 'changed', deleted: 'deleted' };
const AGENT_VERBS = { created: 'wrote', modified: 'changed', deleted: 'deleted' };

function changed({ change, path, from }: EventOf<'file-changed'>): string {
  const file = oneLine(path) || 'a file';
  return from ? `moved ${oneLine(from)} to ${file}` : `${wordsFor(AGENT_VERBS, change) ?? 'changed'} ${file}`;
}

function userChanged(files: NonNullable<EventOf<'user-changed'>['files']>): string {
  const [first] = files;
  if (first && files.length === 1) return `${wordsFor(USER_VERBS, first.change) ?? 'changed'} ${oneLine(first.path) || 'a file'}`;
  return `changed ${count(files.length, 'file')}${after(': ', named(files.map(({ path }) => path)))}`;
}

function saved({ snapshot }: EventOf<'snapshot-saved'>): EventLine {
  const size = `${count(snapshot?.files, 'file')}, ${snapshot?.changed ?? 0} changed`;
  const backup = backupOf(snapshot?.tag);
  if (backup) return detail(`Backup ${backup}: ${size}`);
  // The others are there to go back.
  return line(/^task-\d+-post$|\/done$/.test(snapshot?.tag ?? '') ? 'good' : 'detail', `Saved the project${after(' ', momentOf(snapshot?.tag))}: ${size}`);
}

function planChecked({ report }: EventOf<'plan-checked'>): EventLine {
  const [first, ...others] = report?.failures ?? [];
  // The words of the format of plans, for those who do not read it.
  if (first) return bad(`Plan refused${because(first.message?.replace(/Unknown gumdrop/, 'there is no section type'))}${others.length ? ` (${count(others.length, 'more error')})` : ''}`);
  return good(`The plan is valid${report?.warnings?.length ? `, ${count(report.warnings.length, 'warning')}` : ''}`);
}

function planContext({ theme, sections }: EventOf<'plan-context'>): EventLine {
  const found = `${(sections ?? []).filter((section) => section.found).length} of ${count(sections?.length, 'section')} with an example`;
  if (theme?.applied) return good(`Theme applied, ${found}`);
  return theme?.error ? bad(`The theme is not applied: ${oneLine(theme.error)}. ${found}`) : detail(`The styles stay as they are, ${found}`);
}

/** What does not apply has no line. */
function checked({ report }: EventOf<'gate-checked'>): EventLine | null {
  if (!report || report.notApplicable) return null;
  const found = finding(report);
  switch (report.verdict) {
    case 'pass':
      return good(`Check passed: ${found}`);
    case 'warn':
      return bad(`Check warns: ${found}`);
    case 'fail':
      return bad(`Check failed: ${found}`);
    default:
      return bad(`Check could not run: ${found}`);
  }
}

function requirements({ requirements }: EventOf<'gates-finished'>): EventLine | null {
  if (!requirements?.length) return null;
  return detail(verdictsOf(requirements));
}

function stuckOn({ section, marker }: EventOf<'stall-detected'>): string {
  return `${after(' on the section ', oneLine(section))}${section && marker ? ` (${oneLine(marker)})` : ''}`;
}

function specStarted({ spec, candidate, planned, attempt, reason }: EventOf<'spec-started'>): string {
  const name = oneLine(spec) || 'a spec';
  if (candidate) return `Starting ${name}: the work is verified first`;
  const plan = attempt ? `plan ${attempt}` : 'the plan';
  return planned ? `Starting ${name}: ${plan} is implemented` : `Starting ${name}: ${plan} is written first${reason ? ` (${oneLine(reason)})` : ''}`;
}

function verdict({ verdict, reason }: EventOf<'verdict-given'>): EventLine {
  switch (verdict) {
    case 'accept':
      return good(`Accepted${because(reason)}`);
    case 'fix':
      return bad(`Must be fixed${because(reason)}`);
    case 'invalidate_plan':
      return bad(`The plan is wrong${because(reason)}`);
    default:
      return detail(`Verified${because(reason)}`);
  }
}

const OUTCOMES = { passed: 'passed', failed: 'failed', 'timed-out': 'took too long', skipped: 'was skipped', error: 'could not run' };

function stepChecked({ result }: EventOf<'verification-checked'>): EventLine {
  const { outcome = 'error', required, durationMs } = result ?? {};
  const text = `${oneLine(result?.step) || 'The command'} ${wordsFor(OUTCOMES, outcome) ?? 'ended'}${durationMs ? ` (${duration(durationMs)})` : ''}`;
  if (outcome === 'passed') return good(text);
  return outcome === 'skipped' || required === false ? detail(text) : bad(text);
}

const review = (tier: Maybe<string>): string => capital(`${oneLine(tier)} review`.trim());

function reviewed({ tier, review: given }: EventOf<'review-given'>): EventLine {
  const total = given?.summary?.total ?? 0;
  const issues = total ? `, ${count(total, 'issue')}` : '';
  return given?.decision === 'SHIP' ? good(`${review(tier)}: approved${issues}`) : bad(`${review(tier)}: changes requested${issues}`);
}

function reverted({ attempt, restored, deleted, conflicts }: EventOf<'attempt-reverted'>): EventLine {
  const kept = conflicts?.length ?? 0;
  const yours = kept ? `. ${count(kept, 'file')} ${kept === 1 ? 'stays as you left it' : 'stay as you left them'}` : '';
  return bad(`${numbered('Attempt', attempt)} is undone: ${count(restored?.length, 'file')} restored, ${deleted?.length ?? 0} removed${yours}`);
}

const step = (id: Maybe<string>): string => (id === 'final-review' ? 'The final review' : `Step ${oneLine(id)}`.trim());

/** The reason may be a list of issues with their severities. */
function stepFailed({ chunk, reason, blocked }: EventOf<'chunk-failed'>): string {
  const text = `${step(chunk)} failed${because(reason?.replace(/\[(low|medium|high)\] /g, ''))}`;
  if (!blocked?.length) return text;
  return `${text}${/[.…]$/.test(text) ? '' : '.'} ${count(blocked.length, 'step')} must wait for it`;
}
