/** The hooks of a run over chunks: it waits until the user approves the proposed chunks, and hands over its pull request. */
import { signal } from '@preact/signals';
import type { Chunk, Hooks, PullRequestDraft } from 'loopgate';

type Answer = Awaited<ReturnType<NonNullable<Hooks['approveChunks']>>>;

/** The chunks that the user edits, as cards. */
export const draft = signal<Chunk[] | null>(null);
/** What the hook of the last run got. */
export const pullRequest = signal<PullRequestDraft | null>(null);

let waiting: ((answer: Answer) => void) | null = null;
/** The user decided after a reload, before the resumed run asks. */
let decided: Answer | null = null;

export const hooks: Hooks = {
  async approveChunks(chunks) {
    const answer = decided;
    decided = null;
    if (answer) return answer;
    draft.value ??= chunks;
    return new Promise((resolve) => (waiting = resolve));
  },
  async pullRequest(handed) {
    pullRequest.value = handed;
  },
};

/** Answers the run that waits. Without one, the next run that asks gets the answer. Returns whether a run waited. */
export function answer(given: Answer): boolean {
  const resolve = waiting;
  [waiting, decided] = [null, resolve ? null : given];
  resolve?.(given);
  return resolve !== null;
}

/** The run ended: no approval is pending. */
export function stopWaiting(): void {
  [waiting, decided] = [null, null];
}
