import { LoopgateError, toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { Host, PlanDiffEntry, PlanReport, Registry, ShellCommand } from './types/index.js';

/** Synchronous: fast enough for every keystroke in an editor. Never throws on bad source. */
export function validatePlan(source: string, options: { registry?: Registry; taskNumber?: number } = {}): PlanReport {
  const { validatePlan } = wasm();
  if (typeof source !== 'string') {
    throw new LoopgateError(`the source of a plan must be a string, not ${typeof source}`, { code: 'invalid-argument' });
  }
  try {
    return JSON.parse(validatePlan(source, options.registry, options.taskNumber)) as PlanReport;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * Compares the project's plan with its sources, and keeps the report in `.ralph/plan-diff.md`. Rejects with `not-found`
 * where there is no plan, with `invalid-argument` and its place where it cannot be read.
 */
export async function diffPlan(host: Pick<Host, 'fs' | 'dir'>): Promise<{ entries: PlanDiffEntry[]; report: string }> {
  const { diffPlan } = wasm();
  try {
    return JSON.parse(await diffPlan(host.fs, host.dir)) as { entries: PlanDiffEntry[]; report: string };
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * The command `plan validate | diff | show | update | lint-config` for the IDE's shell: what the agent has as a tool. It
 * writes `.ralph/` files; a plan that is missing or wrong is an exit code, only a broken file system rejects.
 */
export function planCommand(host: Pick<Host, 'fs' | 'dir' | 'registry'>): ShellCommand {
  const { planCommand } = wasm();
  return {
    name: 'plan',
    async execute(args) {
      try {
        return JSON.parse(await planCommand(host.fs, host.dir, host.registry, args)) as Awaited<ReturnType<ShellCommand['execute']>>;
      } catch (thrown) {
        throw toLoopgateError(thrown);
      }
    },
  };
}
