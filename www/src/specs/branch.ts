/** The branch of the specs at HEAD, and the ways back from it. */
import { batch, computed, signal } from '@preact/signals';
import { leaveBranch, mergeBranch } from 'loopgate';
import { host } from '../host/host';
import { latest } from '../latest';
import { refreshFiles } from '../project/project';
import { messageOf } from '../snapshots/snapshots';
import { announce } from '../ui/announce';
import { exclusively } from '../run/locks';
import { isRunning } from '../run/session';

const PREFIX = 'spec/';

export const branchOf = (spec: string): string => `${PREFIX}${spec}`;

/** HEAD's branch; `null` until it is read, and for a detached HEAD. */
const head = signal<string | null>(null);

/** A finished run left HEAD at the branch of a spec. */
export const specBranch = computed(() => (head.value?.startsWith(PREFIX) && !isRunning.value ? head.value : null));

type Way = 'leave' | 'merge';
export const busy = signal<Way | null>(null);
/** What the last one did. It stays until the next one, or the next run. */
export const outcome = signal<{ own: string; ok: boolean; text: string } | null>(null);

export const readHead = latest(async () => {
  head.value = await Promise.resolve(host.git!.currentBranch()).catch(() => null);
});

export function forgetBranch(): void {
  [head.value, outcome.value] = [null, null];
}

/** Checks the branch out from which the branch of the spec started, or merges the branch into it first. */
export async function goBack(way: Way): Promise<void> {
  const own = specBranch.peek();
  if (!own || busy.peek()) return;
  [busy.value, outcome.value] = [way, null];
  // After an error, nothing is changed. Its message has the files and what to do.
  const result = await exclusively('write', () => done(way, own)).then((text) => ({ own, ok: true, text }), (error) => ({ own, ok: false, text: messageOf(error) }));
  await readHead();
  await refreshFiles();
  batch(() => ([outcome.value, busy.value] = [result, null]));
  announce(result.text);
}

async function done(way: Way, own: string): Promise<string> {
  if (way === 'leave') return `The project is on ${(await leaveBranch(host)).branch} again. ${own} keeps its commits.`;
  const { commit } = await mergeBranch(host, own);
  return `${own} is merged into ${await host.git!.currentBranch()} (${commit.slice(0, 7)}).`;
}
