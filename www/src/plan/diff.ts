/** How far the sources are what the plan asks for. */
import { signal } from '@preact/signals';
import { diffPlan, type FsPort, type PlanDiffEntry } from 'loopgate';
import { DIR, files } from '../project/storage';
import { latest } from '../latest';

/** The last comparison; nothing where there is no plan that can be compared. */
export const planDiff = signal<readonly PlanDiffEntry[]>([]);

/** Compares the files as they are now. */
export const comparePlan = latest(async () => {
  planDiff.value = await diffPlan({ fs: unwritten, dir: DIR }).then(({ entries }) => entries, () => []);
});

/** The project's files, to look at: the report of a comparison is the gate's to keep, and a look must not change the project. */
const nothing = async (): Promise<void> => {};
const unwritten: FsPort = Object.assign(Object.create(files) as typeof files, { writeFile: nothing, mkdir: nothing, rename: nothing, unlink: nothing, flush: nothing });
