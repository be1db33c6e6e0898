/** The state of each spec, from the project's files. All functions are pure. */

/** The texts of the files below `specs/` and the paths of the logs below `runs/`, by path. */
export type SpecFiles = ReadonlyMap<string, string>;

export type SpecState =
  | { kind: 'invalid'; reason: string }
  | { kind: 'new' }
  /** `attempt`: the number of the plan to write; `reason`: why the last plan is void. */
  | { kind: 'planning'; attempt: number; reason?: string }
  /** `feedback`: what the last implementation must fix. `attempt` is absent for a plan written by hand. */
  | { kind: 'planned'; attempt?: number; feedback?: string }
  | { kind: 'candidate'; attempt: number; commit: string }
  | { kind: 'done' };

export interface SpecRow {
  path: string;
  id: string;
  title: string;
  text: string;
  state: SpecState;
  plan: string | null;
  /** Invalidated plans, newest first. `reason` is absent if only the journal has it. */
  archives: Array<{ number: number; path: string; text: string; reason?: string }>;
  /** The runs of the spec, newest first, with the paths of their logs in the order of the work. */
  runs: Array<{ time: string; logs: string[] }>;
  done: string | null;
}

const STATE_FOLDERS = ['specs/plans/', 'specs/candidates/', 'specs/done/'];

/** Runnable specs in the order of a run, then the other files. */
export function specRows(files: SpecFiles): SpecRow[] {
  const paths = [...files.keys()].filter((path) => path.startsWith('specs/') && path.endsWith('.md') && !STATE_FOLDERS.some((folder) => path.startsWith(folder)));
  return paths.map((path) => specRow(files, path)).sort((a, b) => Number(a.state.kind === 'invalid') - Number(b.state.kind === 'invalid') || compare(nameOf(a.path), nameOf(b.path)) || compare(a.path, b.path));
}

function specRow(files: SpecFiles, path: string): SpecRow {
  const id = path.slice('specs/'.length, -'.md'.length);
  const text = files.get(path) ?? '';
  const info = planInfo(files.get(`specs/plans/${id}.json`));
  const plan = filled(files.get(`specs/plans/${id}.md`));
  const archives = archivesOf(files, id);
  const newest = archives[0];
  if (newest && info?.reason && info.status !== 'active') newest.reason = info.reason;
  return {
    path, id, title: titleOf(text) ?? nameOf(path), text, plan, archives,
    state: stateOf(files, path, id, info, plan),
    runs: runsOf(files, id),
    done: files.get(`specs/done/${id}.md`) ?? null,
  };
}

function stateOf(files: SpecFiles, path: string, id: string, info: PlanInfo | null, plan: string | null): SpecState {
  const reason = whyNotASpec(path, files.get(path) ?? '');
  if (reason) return { kind: 'invalid', reason };
  const candidate = parsed<{ commit?: unknown }>(files.get(`specs/candidates/${id}.json`));
  if (plan !== null && info?.status === 'active' && typeof candidate?.commit === 'string') return { kind: 'candidate', attempt: info.attempt, commit: candidate.commit };
  if (files.has(`specs/done/${id}.md`)) return { kind: 'done' };
  if (info?.status === 'invalidated') return { kind: 'planning', attempt: info.attempt + 1, ...(info.reason && { reason: info.reason }) };
  if (info?.status === 'drafting') return { kind: 'planning', attempt: info.attempt, ...(info.reason && { reason: info.reason }) };
  if (plan === null) return { kind: 'new' };
  return { kind: 'planned', ...(info && { attempt: info.attempt }), ...(info?.feedback && { feedback: info.feedback }) };
}

/** Why the harness skips a file below `specs/`; null for a spec. */
export function whyNotASpec(path: string, text: string): string | null {
  const name = nameOf(path);
  if (!/^\d{4}-.+\.md$/.test(name)) return 'A spec has a name like 0001-short-name.md';
  if (/\.attempt-\d*\.md$/.test(name)) return 'The name is that of an archived plan';
  if (!text.trim()) return 'The file is empty';
  return titleOf(text) === null ? 'The file has no heading (# Title)' : null;
}

/** Why a new spec cannot be saved, or null. */
export function newSpecProblem(path: string, text: string, existing: readonly SpecRow[]): string | null {
  if (!path.startsWith('specs/') || STATE_FOLDERS.some((folder) => path.startsWith(folder)) || /\/(\.{0,2}\/)|\/\.\.?$/.test(path)) return 'The file must be below specs/, and not in plans, candidates or done';
  if (existing.some((row) => row.path === path)) return 'There is already a spec with this name';
  return whyNotASpec(path, text);
}

/** The number of the next spec, with four digits. */
export function nextNumber(existing: readonly SpecRow[]): string {
  const numbers = existing.filter(({ state }) => state.kind !== 'invalid').map(({ path }) => Number(nameOf(path).slice(0, 4)));
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0');
}

/** `null` for a blank text. */
const filled = (text: string | undefined): string | null => (text?.trim() ? text : null);

const titleOf = (text: string): string | null => /^\s*#[ \t]+(\S.*?)\s*$/m.exec(text)?.[1] ?? null;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

interface PlanInfo {
  status: 'drafting' | 'active' | 'invalidated';
  attempt: number;
  reason?: string;
  feedback?: string;
}

/** `null` if the file is absent or damaged: the harness sets it aside at the next start. */
function planInfo(json: string | undefined): PlanInfo | null {
  const { status, attempt, invalidation_reason: reason, feedback } = parsed<Record<string, unknown>>(json) ?? {};
  if (status !== 'drafting' && status !== 'active' && status !== 'invalidated') return null;
  if (typeof attempt !== 'number' || attempt < 1) return null;
  return { status, attempt, ...(typeof reason === 'string' && reason && { reason }), ...(typeof feedback === 'string' && feedback && { feedback }) };
}

function parsed<T extends object>(json: string | undefined): T | null {
  try {
    const value: unknown = JSON.parse(json ?? '');
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}

function archivesOf(files: SpecFiles, id: string): SpecRow['archives'] {
  const start = `specs/plans/${id}.attempt-`;
  const archives = [...files].flatMap(([path, text]) => {
    const number = path.startsWith(start) ? /^(\d+)\.md$/.exec(path.slice(start.length))?.[1] : undefined;
    return number ? [{ number: Number(number), path, text }] : [];
  });
  return archives.sort((a, b) => b.number - a.number);
}

/** `runs/<id>/<time>/<role>-<number>.log`. A longer id below the same folder has another time. */
function runsOf(files: SpecFiles, id: string): SpecRow['runs'] {
  const start = `runs/${id}/`;
  const runs = new Map<string, string[]>();
  for (const path of files.keys()) {
    const [time, log, ...rest] = path.startsWith(start) ? path.slice(start.length).split('/') : [];
    if (time && log?.endsWith('.log') && rest.length === 0) runs.set(time, [...(runs.get(time) ?? []), path]);
  }
  return [...runs].sort(([a], [b]) => compare(b, a)).map(([time, logs]) => ({ time, logs: logs.sort(compareLogs) }));
}

/** The roles in the order of their work, each with its numbers. */
function compareLogs(a: string, b: string): number {
  const [first, second] = [logName(a), logName(b)];
  return ROLES.indexOf(first.role) - ROLES.indexOf(second.role) || first.number - second.number;
}

const ROLES = ['plan', 'impl', 'verify'];

/** The role and the number in the name of a log. */
export function logName(path: string): { role: string; number: number } {
  const [, role = '', number = '0'] = /^(plan|impl|verify)\D*(\d+)\.log$/.exec(nameOf(path)) ?? [];
  return { role, number: Number(number) };
}
