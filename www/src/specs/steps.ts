/** Edits of the steps of a spec. All functions are pure. */
import { checkChunks, type Chunk } from 'loopgate';
import { slugOf, type RemovedStep } from './draft';

/** One step per line, so that the line of a problem is the number of its step. */
const textOf = (steps: readonly Chunk[]): string => `[${steps.map((step) => JSON.stringify(step)).join(',\n')}]`;

export interface StepsReport {
  /** The ids in the order of a run. */
  order: string[];
  /** By the index of the step; -1 for what concerns the list. */
  problems: ReadonlyMap<number, string[]>;
}

export function checkSteps(steps: readonly Chunk[]): StepsReport {
  const { failures, order } = checkChunks(textOf(steps));
  const problems = new Map<number, string[]>(steps.length ? [] : [[-1, ['there is no step']]]);
  for (const { message, line } of failures) {
    const at = line <= steps.length ? line - 1 : -1;
    problems.set(at, [...(problems.get(at) ?? []), message.replace(/^chunk "/, 'step "').replace(/^two chunks/, 'two steps')]);
  }
  return { order, problems };
}

const idOf = (title: string, others: readonly Chunk[]): string => slugOf(title, others.map(({ id }) => id), 'step');

export const addStep = (steps: readonly Chunk[]): Chunk[] => [...steps, { id: idOf('', steps), title: '', description: '' }];

/** Other steps no longer depend on it. */
export const removeStep = (steps: readonly Chunk[], at: number): Chunk[] =>
  steps.filter((_, index) => index !== at).map((step) => withDependencies(step, step.dependencies?.filter((id) => id !== steps[at]?.id)));

/** What `putBack` needs. */
export const removalOf = (steps: readonly Chunk[], at: number): RemovedStep => {
  const step = steps[at]!;
  return { step, at, neededBy: steps.flatMap(({ id, dependencies }) => (dependencies?.includes(step.id) ? [id] : [])) };
};

/** Edits since the removal stay. */
export function putBack(steps: readonly Chunk[], { step, at, neededBy }: RemovedStep): Chunk[] {
  const linked = steps.map((other) => (neededBy.includes(other.id) ? withDependencies(other, [...(other.dependencies ?? []), step.id]) : other));
  return linked.toSpliced(at, 0, step);
}

/** Moves a step one place up (-1) or down (1). */
export function moveStep(steps: readonly Chunk[], at: number, by: -1 | 1): Chunk[] {
  const moved = [...steps];
  const [step] = moved.splice(at, 1);
  if (step) moved.splice(Math.max(0, at + by), 0, step);
  return moved;
}

/** Replaces fields of a step. Its id follows its title until the user sets one. The dependencies follow the id, unless another step has it. */
export function changeStep(steps: readonly Chunk[], at: number, change: Partial<Chunk>): Chunk[] {
  const before = steps[at];
  if (!before) return [...steps];
  const others = steps.filter((_, index) => index !== at);
  const follows = change.title !== undefined && before.id === idOf(before.title, others);
  const changed = { ...before, ...change, ...(follows && { id: idOf(change.title!, others) }) };
  const isShared = others.some(({ id }) => id === before.id || id === changed.id);
  return steps.map((step, index) => {
    const next = index === at ? changed : step;
    return withDependencies(next, next.dependencies?.map((id) => (id === before.id && !isShared ? changed.id : id)));
  });
}

/** The paths in a text, one per line or separated by commas. */
export const pathsIn = (text: string): string[] => text.split(/[\n,]/).map((path) => path.trim()).filter(Boolean);

function withDependencies(step: Chunk, dependencies: string[] | undefined): Chunk {
  const { dependencies: _, ...rest } = step;
  return dependencies?.length ? { ...rest, dependencies } : rest;
}
