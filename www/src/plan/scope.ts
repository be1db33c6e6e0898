/** The verdicts of the scope gate on the last task, for the present files. */
import { signal } from '@preact/signals';
import { checkScope, snapshot, taskContext, type ScopeReport } from 'loopgate';
import { host } from '../host/host';
import { readText } from '../project/project';
import { filePaths, readTree } from '../project/tree';
import { PLAN } from './document';
import { latest } from '../latest';

export type MarkerVerdict = ScopeReport['markers'][number];

/** In plan order; empty without a plan, a snapshot before the task, or changes. */
export const planScope = signal<readonly MarkerVerdict[]>([]);

const SOURCE = /^src\/.*\.(tsx?|jsx?|mjs|mts|json)$/;

export const judgeScope = latest(async () => {
  planScope.value = await judge().catch(() => []);
});

async function judge(): Promise<MarkerVerdict[]> {
  const [plan, next] = await Promise.all([readText(PLAN), taskContext(host)]);
  const taskNumber = (next.taskNumber ?? 1) - 1;
  const tag = `task-${taskNumber}-pre`;
  if (!plan?.trim() || !taskNumber || !(await snapshot.list(host)).some((known) => known.tag === tag)) return [];
  const changed = (await snapshot.diff(host, tag)).flatMap(({ path, from }) => [path, ...(from ? [from] : [])]).filter((path) => SOURCE.test(path));
  if (!changed.length) return [];
  const earlier = await texts(changed, async (path) => decoded(await snapshot.readFile(host, tag, path)));
  const after = await texts(filePaths(await readTree('src')).filter((path) => SOURCE.test(path)), readText);
  const unchanged = Object.entries(after).filter(([path]) => !changed.includes(path));
  return checkScope({ plan, taskNumber, before: { ...Object.fromEntries(unchanged), ...earlier }, after }).markers;
}

/** The texts of the files that exist. */
async function texts(paths: readonly string[], read: (path: string) => Promise<string | null>): Promise<Record<string, string>> {
  const found = await Promise.all(paths.map(async (path) => [path, await read(path)] as const));
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
}

const decoded = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes);
