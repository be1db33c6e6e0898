/** The calls of the model for drafts. They go on while something else is shown. */
import { signal } from '@preact/signals';
import { messageOf } from '../snapshots/snapshots';

interface Call {
  what: string;
  stop: AbortController;
  /** Why it failed. */
  problem?: string;
}

/** By the ids of the drafts: the call that goes on, or that failed. */
export const calls = signal<ReadonlyMap<string, Call>>(new Map());

function keep(id: string, call?: Call): void {
  const others = [...calls.peek()].filter(([other]) => other !== id);
  calls.value = new Map(call ? [...others, [id, call]] : others);
}

export async function callFor(id: string, what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  keep(id, { what, stop });
  const end = await work(stop.signal).then(() => undefined, (error): Call => ({ what, stop, problem: messageOf(error) }));
  if (!stop.signal.aborted) keep(id, end);
}

export function cancelCall(id: string): void {
  calls.peek().get(id)?.stop.abort();
  keep(id);
}
