import { answerOf } from './answer.js';
import { count, fields, object, optionalFields, optionalText, text, words } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { Host, PlanDiffEntry, PlanNode, PlanReport, Registry, SectionContext, ShellCommand, ThemeContext } from './types/index.js';

/** Synchronous, and fast enough for every keystroke in an editor. An invalid source gives a report, never an exception. */
export function validatePlan(source: string, options: { registry?: Registry; taskNumber?: number } = {}): PlanReport {
  const { validatePlan } = wasm();
  text(source, 'source');
  const { registry, taskNumber } = optionalFields(options, 'options', 'registry', 'taskNumber');
  const task = taskNumber === undefined || taskNumber === null ? undefined : count(taskNumber, 'taskNumber');
  try {
    return withRoot(validatePlan(source, registry, task));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * Runs the command of the plan's `<Theme>` through `host.shell`, on every call, and looks up the recipe of each section in
 * `host.recipes`. The result says which theme failed and which recipes are missing. Rejects for an invalid plan.
 */
export function resolvePlanContext(host: Host, source: string): Promise<{ theme: ThemeContext; sections: SectionContext[] }> {
  return answerOf(() => {
    return wasm().resolvePlanContext(object(host, 'host'), text(source, 'source'));
  });
}

/** The instructions for the agent at the start of BUILD: markdown with the theme and the recipe of each section. */
export function formatBuildInstructions(context: { theme: ThemeContext; sections: SectionContext[] }, warnings?: string): string {
  const { formatBuildInstructions } = wasm();
  try {
    return formatBuildInstructions(context, optionalText(warnings, 'warnings'));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * Compares the project's plan with its sources and writes the report to `.ralph/plan-diff.md`. Rejects with `not-found` without a
 * plan, and with `invalid-argument` and the position of the error for one that cannot be parsed.
 */
export function diffPlan(host: Pick<Host, 'fs' | 'dir'>): Promise<{ entries: PlanDiffEntry[]; report: string }> {
  return answerOf(() => {
    const { fs, dir } = fields(host, 'host', 'fs', 'dir');
    return wasm().diffPlan(fs, dir);
  });
}

/**
 * The command `plan validate | diff | show | update | lint-config` for the IDE's shell. The agent has the same command as a tool. It
 * writes files in `.ralph/`. A missing or invalid plan gives an exit code; only a failing file system rejects.
 */
export function planCommand(host: Pick<Host, 'fs' | 'dir' | 'registry'>): ShellCommand {
  return {
    name: 'plan',
    execute: (args) =>
      answerOf(() => {
        const { fs, dir, registry } = fields(host, 'host', 'fs', 'dir', 'registry');
        return wasm().planCommand(fs, dir, registry, words(args, 'args'));
      }),
  };
}

/** The report from its two lines of JSON text. The second line is the tree, most of the report: it is parsed on first access. */
function withRoot(lines: string): PlanReport {
  const end = lines.indexOf('\n');
  const report = JSON.parse(lines.slice(0, end)) as PlanReport;
  const settle = (value: PlanNode | null) => Object.defineProperty(report, 'root', { value, writable: true, enumerable: true, configurable: true });
  return Object.defineProperty(report, 'root', {
    get: () => settle(JSON.parse(lines.slice(end + 1)) as PlanNode | null).root,
    set: settle,
    enumerable: true,
    configurable: true,
  });
}
