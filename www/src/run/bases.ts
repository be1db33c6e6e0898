/** The branches from which those of the specs started, by the events of runs. Pure. */
import type { RunEvent } from 'loopgate';

export type Bases = ReadonlyMap<string, string>;

export function applyBases(bases: Bases, events: readonly RunEvent[]): Bases {
  const found = events.flatMap((event) => ((event.type === 'run-prepared' || event.type === 'branch-prepared') && event.baseBranch !== undefined ? [[event.branch, event.baseBranch] as const] : []));
  return found.length ? new Map([...bases, ...found]) : bases;
}
