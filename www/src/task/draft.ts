/** A task that the user edits. All functions are pure. */
import type { StructuredTask } from 'loopgate';

export type Requirement = StructuredTask['requirements'][number];
export type ScopeList = keyof StructuredTask['scope'];

export const MARKERS: ReadonlyArray<Requirement['marker']> = ['ADD', 'MODIFY', 'FIX', 'REMOVE'];
/** The types that a user can choose, in words. An edited task has no questions. */
export const TYPES: Partial<Record<StructuredTask['type'], string>> = { fresh: 'new app', mutation: 'change', bugfix: 'fix' };

export const withRequirement = (task: StructuredTask, at: number, part: Partial<Requirement>): StructuredTask => ({
  ...task,
  requirements: task.requirements.map((requirement, index) => (index === at ? changed(requirement, part) : requirement)),
});

export const withNewRequirement = (task: StructuredTask): StructuredTask => ({ ...task, requirements: [...task.requirements, { marker: 'ADD', description: '' }] });

export const withoutRequirement = (task: StructuredTask, at: number): StructuredTask => ({ ...task, requirements: task.requirements.toSpliced(at, 1) });

export const withLine = (task: StructuredTask, list: ScopeList, at: number, text: string): StructuredTask => withList(task, list, task.scope[list].with(at, text));

export const withNewLine = (task: StructuredTask, list: ScopeList): StructuredTask => withList(task, list, [...task.scope[list], '']);

export const withoutLine = (task: StructuredTask, list: ScopeList, at: number): StructuredTask => withList(task, list, task.scope[list].toSpliced(at, 1));

/** The task for the editor. An unclear task gets a type and an empty requirement. */
export function editable(task: StructuredTask, planExists: boolean): StructuredTask {
  const { questions: _, ...rest } = task;
  const type = task.type === 'needs-clarification' ? (planExists ? 'mutation' : 'fresh') : task.type;
  return task.requirements.length ? { ...rest, type } : withNewRequirement({ ...rest, type });
}

/** The task for a run with this message: every text on one line, without empty ones. */
export function finished(task: StructuredTask, message: string): StructuredTask {
  const filled = (lines: string[]) => lines.map(oneLine).filter(Boolean);
  const requirements = task.requirements.map((requirement) => ({ ...requirement, description: oneLine(requirement.description) })).filter(({ description }) => description);
  const { preserve, affectedFiles } = task.scope;
  return { ...task, title: oneLine(task.title) || (requirements[0]?.description ?? oneLine(message)), requirements, scope: { preserve: filled(preserve), affectedFiles: filled(affectedFiles) }, rawMessage: message };
}

/** Why an edited task cannot run, or null. */
export const problemOf = (task: StructuredTask): string | null => (task.requirements.some(({ description }) => description.trim()) ? null : 'Add at least one requirement');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Drops an invalid count, and the span of a changed description. */
function changed(requirement: Requirement, part: Partial<Requirement>): Requirement {
  const { count, span, ...rest } = { ...requirement, ...part };
  const hasCount = count !== undefined && Number.isSafeInteger(count) && count > 0;
  const hasSpan = span !== undefined && rest.description === requirement.description;
  return { ...rest, ...(hasCount && { count }), ...(hasSpan && { span }) };
}

function withList(task: StructuredTask, list: ScopeList, lines: string[]): StructuredTask {
  return { ...task, scope: { ...task.scope, [list]: lines } };
}
