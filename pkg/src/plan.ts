import { answerOf } from './answer.js';
import { count, object, optional, optionalText, text, words } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { Host, PlanDiffEntry, PlanNode, PlanReport, Registry, SectionContext, ShellCommand, ThemeContext } from './types/index.js';

/** Synchronous: fast enough for every keystroke in an editor. Never throws on bad source. */
export function validatePlan(source: string, options: { registry?: Registry; taskNumber?: number } = {}): PlanReport {
  const { validatePlan } = wasm();
  text(source, 'source');
  const { registry, taskNumber } = optional(options, 'options');
  const task = taskNumber === undefined || taskNumber === null ? undefined : count(taskNumber, 'taskNumber');
  try {
    return withRoot(JSON.parse(validatePlan(source, registry, task)) as PlanReport, source);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * What a plan needs to be built: runs the command of its `<Theme>` through `host.shell`, at every call, and looks the recipe of
 * each section up in `host.recipes`. A theme that fails and a recipe that is missing are part of the answer; rejects for a
 * source that is no plan.
 */
export function resolvePlanContext(host: Host, source: string): Promise<{ theme: ThemeContext; sections: SectionContext[] }> {
  return answerOf(() => {
    return wasm().resolvePlanContext(object(host, 'host'), text(source, 'source'));
  });
}

/** What the agent reads when BUILD begins: markdown with the theme as it is and the recipe of each section. */
export function formatBuildInstructions(context: { theme: ThemeContext; sections: SectionContext[] }, warnings?: string): string {
  const { formatBuildInstructions } = wasm();
  try {
    return formatBuildInstructions(context, optionalText(warnings, 'warnings'));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * Compares the project's plan with its sources, and keeps the report in `.ralph/plan-diff.md`. Rejects with `not-found`
 * where there is no plan, with `invalid-argument` and its place where it cannot be read.
 */
export function diffPlan(host: Pick<Host, 'fs' | 'dir'>): Promise<{ entries: PlanDiffEntry[]; report: string }> {
  return answerOf(() => {
    const { fs, dir } = object(host, 'host');
    return wasm().diffPlan(fs, dir);
  });
}

/**
 * The command `plan validate | diff | show | update | lint-config` for the IDE's shell: what the agent has as a tool. It
 * writes `.ralph/` files; a plan that is missing or wrong is an exit code, only a broken file system rejects.
 */
export function planCommand(host: Pick<Host, 'fs' | 'dir' | 'registry'>): ShellCommand {
  return {
    name: 'plan',
    execute: (args) =>
      answerOf(() => {
        const { fs, dir, registry } = object(host, 'host');
        return wasm().planCommand(fs, dir, registry, words(args, 'args'));
      }),
  };
}

/** The tree is most of a report and few need it: it is read when it is asked for. */
function withRoot(report: PlanReport, source: string): PlanReport {
  const settle = (value: PlanNode | null) => Object.defineProperty(report, 'root', { value, writable: true, enumerable: true, configurable: true });
  return Object.defineProperty(report, 'root', {
    get: () => settle(JSON.parse(wasm().planRoot(source)) as PlanNode | null).root,
    set: settle,
    enumerable: true,
    configurable: true,
  });
}
