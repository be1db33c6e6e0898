/** Words for lines of a run that `formatEvent` does not have: the text behind a line, announcements, numbers. */
import { formatEvent, type EventLine, type RunEvent, type Work } from 'loopgate';
import { isDiscard, isOfStop } from './stoppable';

/** The event as a line, or `null`. `titles`: the titles of steps by their ids, which take the place of the ids. */
export function lineOf(event: RunEvent, titles: Readonly<Record<string, string>> = {}): EventLine | null {
  if (isOfStop(event)) return { text: 'Stopped by you', kind: 'progress' };
  if (isDiscard(event)) return { text: 'Ended by you', kind: 'progress' };
  // The card has a button that resumes the run.
  const line = formatEvent(event.type === 'run-failed' ? { ...event, error: { ...event.error, retryable: false } } : event);
  const id = event.type === 'chunk-started' || event.type === 'chunk-committed' || event.type === 'chunk-failed' ? event.chunk : '';
  return line && titles[id] ? { ...line, text: line.text.replace(`Step ${id}`, `“${titles[id]}”`) } : line;
}

type Bare<E> = E extends RunEvent ? Omit<E, 'v' | 'seq' | 'at' | 'runId' | 'lease'> : never;

/** The text of `formatEvent` for an event that no run has. */
export const phraseOf = (event: Bare<RunEvent>): string => formatEvent({ v: 1, seq: 0, at: 0, runId: '', lease: 0, ...event })?.text ?? '';

/** The fields of events with the text behind a line; the first one that is there counts. */
const NOTES = ['notes', 'skipped', 'findings', 'feedback', 'repaired', 'conflicts', 'blocked', 'dirty', 'paths', 'files', 'chunks', 'reason'] as const;

/** The text behind a line: feedback to the agent, paths, output. */
export function noteOf(event: RunEvent): string | undefined {
  if (event.type === 'gate-checked') return event.report.feedback;
  if (event.type === 'verification-checked') return event.result.output;
  const fields = event as unknown as Partial<Record<(typeof NOTES)[number], unknown>>;
  const found = NOTES.map((name) => fields[name]).find((value) => (Array.isArray(value) ? value.length : typeof value === 'string' && value));
  return Array.isArray(found) ? found.map(textOf).join('\n') : (found as string | undefined);
}

function textOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  if (Array.isArray(item)) return item.join(' waits for ');
  const { path, title, change, reason } = item as { path?: string; title?: string; change?: string; reason?: string };
  return [path ?? title, change ?? reason].filter(Boolean).join(': ');
}

const IMPORTANT: ReadonlySet<RunEvent['type']> = new Set([
  'run-started', 'run-resumed', 'phase-changed', 'plan-checked', 'spec-started', 'verdict-given', 'spec-finished', 'chunks-proposed', 'chunk-started', 'attempt-reverted', 'chunk-committed', 'chunk-failed', 'snapshot-restored', 'stall-detected', 'wait-started', 'run-finished', 'run-failed',
]);

/** The announcement for a batch of events; may be empty. */
export const spoken = (events: readonly RunEvent[]): string =>
  events.filter((event) => IMPORTANT.has(event.type) || (event.type === 'gate-checked' && event.report.verdict !== 'pass')).flatMap((event) => lineOf(event)?.text ?? []).join('; ');

export function workTitle(work: Work): string {
  switch (work.kind) {
    case 'task':
      return work.message;
    case 'spec':
      return work.path ? `Build the spec “${nameOf(work.path.replace(/^specs\/(\d+-)?|\.md$/g, ''))}”` : 'Build all open specs';
    case 'chunks':
      return `Build the steps of “${nameOf(work.spec)}”`;
  }
}

/** `cart-total`: `Cart total`. */
function nameOf(slug: string): string {
  return capital(slug.replaceAll('-', ' '));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** With a capital and an end. */
export const sentence = (text: string): string => capital(/[.!?…:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The time of day, to the second. */
export const clock = (at: number): string => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

export const bytes = (size: number): string => (size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`);

/** `16 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `950`, `28k`. */
export const thousands = (number: number): string => (number < 1000 ? String(number) : `${Math.round(number / 1000)}k`);

export const dollars = (amount: number, isEstimated: boolean): string => (amount > 0 && amount < 0.005 ? 'less than $0.01' : `${isEstimated ? 'about ' : ''}$${amount.toFixed(2)}`);
