/** The words for what events name by an id: checks, rules, versions, limits, phases and roles. Pure. */
import type { GateReport } from '../types/gate.js';
import { dollars, duration, oneLine, rounded, wordsFor, type Maybe, type Partly } from './words.js';

/** What is true if a check passes, and if it does not. */
const CHECKS: Record<string, [passed: string, failed: string]> = {
  'work-done': ['the project changed', 'nothing that counts changed in the project'],
  'sources-parse': ['the code has no errors', 'the code has an error'],
  'nothing-lost': ['nothing that the page had is lost', 'a part of the page is lost'],
  'plan-built': ['the planned sections are built', 'planned sections are not built'],
  'plan-diff': ['the code follows the plan', 'the code differs from the plan'],
  scope: ['the change matches the request', 'the change does not match the request'],
  'tests-kept': ['the earlier tests still run', 'an earlier test does not run any more'],
  'assertions-kept': ['the tests check as much as before', 'the tests check less than before'],
  'no-placeholders': ['the code has no placeholders', 'the code has placeholders'],
  'changes-named': ['the plan or the task mentions each changed file', 'neither the plan nor the task mentions a changed file'],
  'has-summary': ['the summary describes the work', 'the summary does not describe the work'],
  'build-succeeds': ['the project builds', 'the project does not build'],
  'runtime-errors': ['the page runs without errors', 'the page has errors'],
  'console-capture': ['the console shows no errors', 'the console shows errors'],
  'app-exists': ['the app exists', 'the app is missing'],
  'app-has-content': ['the app shows more than the template', 'the app still shows the template'],
  'no-hardcoded-colors': ['the colors come from the theme', 'some colors do not come from the theme'],
  'css-theme-complete': ['the theme is complete', 'the theme is incomplete'],
  'css-no-tailwind-directives': ['the styles have no Tailwind directives', 'the styles have Tailwind directives'],
};

/** What a check found. Checks of the IDE and of the configuration have their own name. */
export function finding({ gate, verdict }: Partly<GateReport>): string {
  const known = wordsFor(CHECKS, gate);
  if (known) return known[verdict === 'fail' || verdict === 'warn' ? 1 : 0];
  return oneLine(gate?.replace(/^verification: /, '')) || 'without a name';
}

const OWNED = 'it belongs to loopgate';
const RULES: Record<string, string> = {
  'bad-path': 'it is not a valid path', 'too-long': 'the path is too long', 'outside-project': 'it is outside of the project', git: 'it belongs to git', loopgate: OWNED, 'harness-file': OWNED,
  'user-file': 'only you may change it', 'plan-phase': 'the plan comes first', 'read-only-phase': 'the agent may only read now', link: 'a link leads elsewhere', tools: 'the agent does not have this tool',
};

/** Why something is denied. */
export function ruleOf(rule: Maybe<string>): string {
  if (/^policy\b/.test(rule ?? '')) return 'a rule of your configuration';
  return wordsFor(RULES, rule) ?? (oneLine(rule) || 'a rule');
}

/** Where a version is in the history of the project: `before task 3`. */
export function momentOf(tag: Maybe<string>): string {
  const [, number, end] = /^task-(\d+)-(pre|post)(?:-\d+)?$/.exec(tag ?? '') ?? [];
  if (number) return `${end === 'pre' ? 'before' : 'after'} task ${number}`;
  const stuck = /^stall-(\d+)-recovery(?:-\d+)?$/.exec(tag ?? '')?.[1];
  if (stuck) return `when task ${stuck} got stuck`;
  const [, piece, point] = /^(?:spec|chunks)\/(.+)\/(pre|base|candidate|done)(?:-\d+)?$/.exec(tag ?? '') ?? [];
  if (piece) return `${point === 'pre' || point === 'base' ? 'before' : 'after'} the work on ${oneLine(piece.replace(/\/final-review$/, ', final review').replace(/\//g, ', step '))}`;
  return '';
}

/** The number of a version that was saved for safety after an iteration. */
export const backupOf = (tag: Maybe<string>): string | undefined => /^refs\/loopgate\/iterations\/.+\/(\d+)$/.exec(tag ?? '')?.[1];

/** `80 % of the budget of $2 is spent`. */
export function spent(limit: Maybe<string>, used: number, max: number): string {
  const part = max > 0 ? `${Math.floor((100 * used) / max)} % of ` : '';
  switch (limit) {
    case 'maxCostUsd':
      return `${part}the budget of ${dollars(max)} is spent`;
    case 'perTask':
      return `${part}the budget of ${dollars(max)} for this task is spent`;
    case 'perDay':
      return `${part}the budget of ${dollars(max)} for today is spent`;
    case 'maxTokens':
      return `${part}the budget of ${rounded(max)} tokens is spent`;
    case 'maxWallMs':
      return `${part}the time limit of ${duration(max)} is used up`;
    case 'maxIterations':
      return `${part}the agent's ${max} starts are used up`;
    default:
      return `${part}a limit is used up`;
  }
}

export const PHASES: Record<string, string> = { plan: 'Planning', build: 'Building', check: 'Checking', review: 'Reviewing', accept: 'Finishing' };

/** Who works: the builder is the agent. */
export const roleOf = (role: Maybe<string>): string => (!role || role === 'builder' ? 'the agent' : `the ${oneLine(role)}`);
