/** The files that changed in a run, and by whom, folded from its events. Pure. */
import type { RunEvent } from 'loopgate';

type Change = 'created' | 'modified' | 'deleted';
/** The mode and the id of git; null for no file. A symbol is an unknown state, which differs from all others. */
type State = string | null | symbol;

interface Step {
  by: 'agent' | 'user';
  to: State;
}

interface History {
  change: Change;
  /** The state before the run. */
  first: State;
  /** Consecutive changes by one author are one step. */
  steps: readonly Step[];
  /** The number of steps before the present attempt. */
  settled: number;
}

/** By path. */
export type Changes = ReadonlyMap<string, History>;

/** `agent`: also the harness, for the agent. */
export interface Mark {
  change: Change;
  by: 'agent' | 'user' | 'both';
}

export const noChanges: Changes = new Map();

/** The files that differ from before the run. */
export function marksOf(changes: Changes): ReadonlyMap<string, Mark> {
  return new Map([...changes].flatMap(([path, history]) => {
    const mark = markOf(history);
    return mark ? [[path, mark] as const] : [];
  }));
}

export function applyChange(changes: Changes, event: RunEvent): Changes {
  switch (event.type) {
    case 'file-changed':
      return withChange(changes, 'agent', event);
    case 'user-changed':
      return event.files.reduce((all, file) => withChange(all, 'user', file), changes);
    case 'attempt-started':
      return new Map([...changes].map(([path, history]) => [path, { ...history, settled: history.steps.length }]));
    case 'attempt-reverted':
      return new Map([...changes].map(([path, history]) => [path, event.restored.includes(path) || event.deleted.includes(path) ? takenBack(history) : history]));
    case 'snapshot-restored':
      return noChanges;
    default:
      return changes;
  }
}

function markOf({ change, first, steps }: History): Mark | null {
  if (steps.length === 0 || steps.at(-1)!.to === first) return null;
  const [agent, user] = (['agent', 'user'] as const).map((author) => steps.some(({ by }) => by === author));
  return { change, by: agent && user ? 'both' : agent ? 'agent' : 'user' };
}

interface FileChange {
  path: string;
  from?: string;
  change: Change;
  before?: string;
  after?: string;
}

function withChange(changes: Changes, by: Step['by'], { path, from, change, before, after }: FileChange): Changes {
  const isKnown = before !== undefined || after !== undefined;
  const state = (value: string | undefined): State => (isKnown ? (value ?? null) : Symbol('unknown'));
  const known = changes.get(path) ?? { change, first: state(before), steps: [], settled: 0 };
  const step: Step = { by, to: state(after) };
  // The target of a move has the authors of its source.
  const moved = from === undefined ? undefined : changes.get(from)?.steps;
  const steps = moved ? [...known.steps, ...moved, step] : withStep(known, step);
  return new Map(changes).set(path, { ...known, change: known.steps.length ? merged(known.change, change) : change, steps });
}

/** A step back to the state before the last one removes that one. */
function withStep({ first, steps }: History, step: Step): Step[] {
  const earlier = steps.at(-1)?.by === step.by ? steps.slice(0, -1) : steps;
  const before = earlier.length ? earlier.at(-1)!.to : first;
  return before === step.to ? [...earlier] : [...earlier, step];
}

/** The agent's part of the present attempt is taken out: what is left of the attempt is the user's. */
function takenBack(history: History): History {
  const { steps, settled } = history;
  if (!steps.slice(settled).some(({ by }) => by === 'user')) return history;
  return { ...history, steps: [...steps.slice(0, settled), { by: 'user', to: steps.at(-1)!.to }] };
}

/** A file that this run created is still "created" after a second write, and one that it deleted and wrote again is "modified". */
function merged(before: Change, now: Change): Change {
  if (before === 'created' && now === 'modified') return 'created';
  return before === 'deleted' && now === 'created' ? 'modified' : now;
}
