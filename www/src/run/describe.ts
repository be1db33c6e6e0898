/** How the timeline shows the lines that loopgate gives events: a label, a tone, and details if there are any. */
import { formatEvent, type EventLine, type GateReport, type Phase, type RunEvent } from 'loopgate';
import type { Detail, Entry, Tone } from './entry';

type Description = Omit<Entry, 'key' | 'at'>;
type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** The label of a failed call of the model. */
export const FAILED_CALL = 'Model';

const LABELS: Partial<Record<RunEvent['type'], string>> = {
  'phase-changed': 'Phase', 'iteration-started': 'Iteration', 'iteration-finished': 'Iteration', 'tool-call': 'Tool', 'file-changed': 'Files', 'user-changed': 'You', steered: 'You', 'question-answered': 'You', 'question-asked': 'Question',
  'write-denied': 'Denied', 'plan-checked': 'Plan', 'plan-context': 'Plan', 'plan-accepted': 'Plan', 'plan-invalidated': 'Plan', 'completion-refused': 'Plan', 'spec-started': 'Spec', 'candidate-recorded': 'Spec', 'candidate-outdated': 'Spec', 'spec-finished': 'Spec',
  'attempt-started': 'Attempt', 'attempt-failed': 'Attempt', 'attempt-recorded': 'Attempt', 'attempt-rejected': 'Attempt', 'attempt-reverted': 'Attempt', 'verdict-given': 'Verdict', 'verdict-unreadable': 'Verdict',
  'verification-checked': 'Verify', 'verification-finished': 'Verify', 'verification-inconclusive': 'Verify', 'review-given': 'Review', 'review-unreadable': 'Review', 'branch-prepared': 'Branch', 'run-prepared': 'Branch', 'branch-moved': 'Branch',
  'chunks-proposed': 'Chunks', 'proposal-rejected': 'Chunks', 'chunks-approved': 'Chunks', 'pull-request-drafted': 'Chunks', 'chunk-started': 'Chunk', 'chunk-committed': 'Chunk', 'chunk-failed': 'Chunk',
  'gate-checked': 'Gate', 'gates-finished': 'Gate', 'fixes-applied': 'Gate', 'evidence-outdated': 'Gate', 'snapshot-saved': 'Snapshot', 'snapshot-skipped': 'Snapshot', 'snapshot-restored': 'Snapshot',
  'stall-detected': 'Stall', 'budget-warning': 'Budget', 'config-warning': 'Configuration', status: 'Status', 'wait-started': 'Status', 'context-shortened': 'Context',
};

const TONES: Record<EventLine['kind'], Tone> = { progress: 'active', good: 'good', bad: 'bad', question: 'warn', detail: 'neutral' };
/** After these, the run goes on by itself. */
const MILD: ReadonlySet<RunEvent['type']> = new Set([
  'write-denied', 'completion-refused', 'attempt-failed', 'attempt-rejected', 'attempt-reverted', 'verdict-unreadable', 'verification-inconclusive', 'plan-invalidated', 'proposal-rejected', 'review-unreadable', 'stall-detected', 'budget-warning', 'iteration-finished', 'snapshot-skipped', 'plan-context',
]);

/**
 * `null` for an event without a line of its own: it is streamed, merged into another line, or only counted.
 * `call`: the number of a failed call, such as `call 2 of 6`.
 */
export function describe(event: RunEvent, call?: string): Description | null {
  const line = isPartOfCall(event) ? null : formatEvent(event);
  if (!line) return null;
  const detail = detailOf(event);
  const fault = event.type === 'iteration-finished' ? event.fault : undefined;
  // A run tries again only after some faults.
  const number = call && (fault?.kind === 'rate-limited' || fault?.kind === 'unavailable') ? ` (${call})` : '';
  return { tone: toneOf(event, line), label: fault ? FAILED_CALL : LABELS[event.type] ?? 'Run', title: line.text + number, ...(detail && { detail }) };
}

/** The line of the agent's call says it. */
const isPartOfCall = (event: RunEvent): boolean => event.type === 'tool-result' || event.type === 'model-answered' || (event.type === 'file-changed' && event.by === 'agent');

function toneOf(event: RunEvent, { kind }: EventLine): Tone {
  const isMild = MILD.has(event.type) || (event.type === 'gate-checked' && event.report.verdict === 'warn');
  const isStopped = event.type === 'run-finished' && kind === 'progress';
  return (kind === 'bad' && isMild) || isStopped ? 'warn' : TONES[kind];
}

function detailOf(event: RunEvent): Detail | undefined {
  switch (event.type) {
    case 'tool-call':
      return { kind: 'tool', id: event.id, name: event.name, args: event.args };
    case 'file-changed':
      return { kind: 'files', paths: [event.path] };
    case 'plan-checked':
      return { kind: 'plan', report: event.report };
    case 'plan-context':
      return { kind: 'context', theme: event.theme, sections: event.sections };
    case 'gate-checked':
      return { kind: 'gate', report: event.report };
    default: {
      const text = noteOf(event);
      return text ? { kind: 'note', text } : undefined;
    }
  }
}

function noteOf(event: RunEvent): string | null | undefined {
  switch (event.type) {
    case 'run-started':
      return (event.notes ?? event.skipped?.map(({ path, reason }) => `Skipped ${path}: ${reason}`))?.join('\n');
    case 'run-resumed':
    case 'spec-started':
    case 'run-prepared':
      return event.repaired.join('\n');
    case 'completion-refused':
    case 'attempt-failed':
    case 'proposal-rejected':
    case 'attempt-rejected':
    case 'stall-detected':
    case 'chunk-started':
    case 'verification-finished':
      return event.feedback;
    case 'candidate-outdated':
    case 'evidence-outdated':
      return event.paths.join('\n');
    case 'verdict-unreadable':
    case 'verification-inconclusive':
    case 'review-unreadable':
      return event.reason;
    case 'verdict-given':
      return event.findings.join('\n');
    case 'branch-prepared':
      return event.dirty.length ? `Not part of the commit:\n${event.dirty.join('\n')}` : '';
    case 'chunks-proposed':
      return event.chunks.map(({ title }) => title).join('\n');
    case 'attempt-recorded':
      return event.files.map(({ path }) => path).join('\n');
    case 'attempt-reverted':
      return event.conflicts?.join('\n');
    case 'chunk-failed':
      return event.blocked.map(([chunk, by]) => `${chunk} waits for ${by}`).join('\n');
    case 'verification-checked':
      return event.result.output;
    case 'user-changed':
      return event.files.length > 1 ? event.files.map(({ path, change }) => `${path}: ${change}`).join('\n') : '';
    default:
      return undefined;
  }
}

/** The line of files that the harness changed one after the other. */
export const filesLine = (paths: string[]): Pick<Description, 'title' | 'detail'> => ({ title: `loopgate changed ${count(paths.length, 'file')}`, detail: { kind: 'files', paths } });

/** The announcement for a batch of events; may be empty. */
export const spoken = (events: readonly RunEvent[]): string =>
  events.filter(isImportant).flatMap((event) => formatEvent(event)?.text ?? []).join('; ');

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

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The time of day, to the second. */
export const clock = (at: number): string => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

export function bytes(size: number): string {
  return size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`;
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
