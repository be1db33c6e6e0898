/** The comparison of the plan with the sources. */
import { signal } from '@preact/signals';
import { diffPlan, type FsPort, type PlanDiffEntry } from 'loopgate';
import { DIR, files } from '../project/storage';
import { latest } from '../latest';

/** The last comparison; empty without a valid plan. */
export const planDiff = signal<readonly PlanDiffEntry[]>([]);

export const comparePlan = latest(async () => {
  planDiff.value = await diffPlan({ fs: readOnly, dir: DIR }).then(({ entries }) => entries, () => []);
});

/** `diffPlan` writes its report into the project, which showing a plan must not do. */
const nothing = async (): Promise<void> => {};
const readOnly: FsPort = Object.assign(Object.create(files) as typeof files, { writeFile: nothing, mkdir: nothing, rename: nothing, unlink: nothing, flush: nothing });
