/** The branch of the specs at HEAD, and the ways back from it. */
import { batch, computed, signal } from '@preact/signals';
import { leaveBranch, mergeBranch } from 'loopgate';
import { buildProject } from '../host/build';
import { host } from '../host/host';
import { latest } from '../latest';
import { refreshFiles } from '../project/project';
import { messageOf, refreshSnapshots } from '../snapshots/snapshots';
import { announce } from '../ui/announce';
import { bases } from './history';
import { isRunning, otherTab } from './session';

const PREFIX = 'spec/';

export const branchOf = (spec: string): string => `${PREFIX}${spec}`;

/** HEAD's branch; `null` until it is read, and for a detached HEAD. */
const head = signal<string | null>(null);

/** A finished run left HEAD at the branch of a spec. */
export const specBranch = computed(() => {
  const own = head.value;
  const base = own === null ? undefined : bases.value.get(own);
  return own?.startsWith(PREFIX) && base !== undefined && base !== own && !isRunning.value && !otherTab.value ? { own, base } : null;
});

export type Way = 'leave' | 'merge';
export const busy = signal<Way | null>(null);
/** What the last one did. It stays until the next one, or the next run. */
export const outcome = signal<{ own: string; ok: boolean; text: string } | null>(null);

export const readHead = latest(async () => {
  head.value = await Promise.resolve(host.git!.currentBranch()).catch(() => null);
});

export function forgetBranch(): void {
  [head.value, outcome.value, bases.value] = [null, null, new Map()];
}

/** Checks the branch out from which that of the spec started, or merges the branch into it first. */
export async function goBack(way: Way): Promise<void> {
  const branch = specBranch.peek();
  if (!branch || busy.peek()) return;
  [busy.value, outcome.value] = [way, null];
  // After an error, nothing is changed. Its message has the files and what to do.
  const result = await done(way, branch).then((text) => ({ own: branch.own, ok: true, text }), (error) => ({ own: branch.own, ok: false, text: messageOf(error) }));
  await readHead();
  await refreshFiles();
  batch(() => ([outcome.value, busy.value] = [result, null]));
  announce(result.text);
  await Promise.all([refreshSnapshots(), buildProject()]);
}

async function done(way: Way, { own, base }: { own: string; base: string }): Promise<string> {
  if (way === 'leave') return `${(await leaveBranch(host)).branch} is checked out. ${own} keeps its commits.`;
  const { commit, fastForward } = await mergeBranch(host, own);
  return `${own} is merged into ${base}${fastForward ? '' : ' with a merge commit'} (${commit.slice(0, 7)}), which is checked out.`;
}
