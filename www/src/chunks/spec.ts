/** What the files below `.handoff/specs/<id>/` say about a spec with chunks. All functions are pure. */
import type { Chunk, VerificationResult, Review, ReviewTier, ShippedChunk } from 'loopgate';
import { FINAL } from './progress';

export const HANDOFF = '.handoff/specs/';

/** The texts of the small files and the names of all files, by path. A text that is not read is absent. */
export interface ChunkFiles {
  paths: readonly string[];
  texts: ReadonlyMap<string, string>;
}

export interface ChunkSpec {
  id: string;
  title: string;
  /** The text of `spec.md`. */
  text: string;
  /** Null without `chunks.json`. */
  chunks: Chunk[] | null;
  /** Why `chunks.json` cannot run. */
  problem: string | null;
  /** The planner's chunks, until the user approves them. */
  proposed: Chunk[] | null;
  shipped: Readonly<Record<string, ShippedChunk>>;
  failed: Readonly<Record<string, { reason: string; feedback: string }>>;
  /** The recorded attempts of a chunk, in order. */
  attempts(chunk: string): Attempt[];
  /** The draft of the pull request. */
  draft: string | null;
}

export interface Attempt {
  number: number;
  /** The folder with its record. */
  folder: string;
  files: readonly string[];
  outcome: Outcome;
}

export type Outcome = 'shipped' | 'reviewed' | 'not verified' | 'revised' | 'rejected' | 'open';

/** The files whose texts are always read. The others are read when they are shown. */
export const isSmall = (path: string): boolean => /^\.handoff\/specs\/[^/]+\/(spec\.md|chunks\.json|pull-request\.md|iterations\/(state|proposed)\.json|iterations\/[^/]+\/iteration-\d+\/(verification|review|review-final)\.json)$/.test(path);

export function specIds({ paths }: ChunkFiles): string[] {
  const ids = paths.flatMap((path) => (path.startsWith(HANDOFF) ? /^([^/]+)\/(spec\.md|chunks\.json)$/.exec(path.slice(HANDOFF.length))?.[1] ?? [] : []));
  return [...new Set(ids)].sort();
}

export function readSpec(files: ChunkFiles, id: string): ChunkSpec {
  const folder = `${HANDOFF}${id}/`;
  const text = files.texts.get(`${folder}spec.md`) ?? '';
  const list = files.texts.get(`${folder}chunks.json`);
  const { chunks, problem } = list === undefined ? { chunks: null, problem: null } : readChunks(list);
  const proposed = files.texts.get(`${folder}iterations/proposed.json`);
  const state = json<{ shipped?: ChunkSpec['shipped']; failed?: ChunkSpec['failed'] }>(files.texts.get(`${folder}iterations/state.json`));
  return {
    id,
    title: /^#[ \t]+(\S.*?)\s*$/m.exec(text)?.[1] ?? id,
    text,
    chunks,
    problem: problem && `${folder}chunks.json: ${problem}`,
    proposed: proposed === undefined ? null : readChunks(proposed).chunks,
    shipped: state?.shipped ?? {},
    failed: state?.failed ?? {},
    attempts: (chunk) => attemptsOf(files, `${folder}iterations/${chunk}/`),
    draft: files.texts.get(`${folder}pull-request.md`) ?? null,
  };
}

/** Reads chunks as the harness does: an array, or an object with the field `chunks`. */
export function readChunks(text: string): { chunks: Chunk[] | null; problem: string | null } {
  const value = json<Chunk[] | { chunks?: Chunk[] }>(text);
  const list = Array.isArray(value) ? value : value?.chunks;
  if (!Array.isArray(list)) return { chunks: null, problem: 'it is not a JSON array of chunks' };
  const isChunk = (chunk: Chunk) => typeof chunk?.id === 'string' && typeof chunk.title === 'string' && typeof chunk.description === 'string';
  if (!list.every(isChunk)) return { chunks: null, problem: 'a chunk has no id, title or description' };
  return { chunks: list, problem: problemOf(list) };
}

/** Why the chunks cannot run, or null. The harness checks them again. */
export function problemOf(chunks: readonly Chunk[]): string | null {
  const ids = chunks.map(({ id }) => id);
  for (const { id, title, description } of chunks) {
    if (!/^[A-Za-z0-9_][\w.-]{0,63}$/.test(id)) return `the id “${id}” is not valid: use letters, digits, -, _ and .`;
    if (!title.trim() || !description.trim()) return `chunk “${id}” needs a title and a description`;
  }
  const twice = ids.find((id, at) => ids.indexOf(id) < at);
  if (twice !== undefined) return `two chunks have the id “${twice}”: rename one`;
  for (const { id, dependencies = [] } of chunks) {
    const unknown = dependencies.find((dependency) => !ids.includes(dependency));
    if (unknown !== undefined) return `chunk “${id}” depends on “${unknown}”, which does not exist`;
  }
  const cycle = cycleOf(chunks);
  return cycle && `the dependencies have a cycle: ${cycle.join(' → ')}. Remove one of them`;
}

/** The ids of a cycle of dependencies, the first one again at the end. */
function cycleOf(chunks: readonly Chunk[]): string[] | null {
  const finished = new Set<string>();
  const visit = (id: string, path: string[]): string[] | null => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (finished.has(id)) return null;
    for (const dependency of chunks.find((chunk) => chunk.id === id)?.dependencies ?? []) {
      const cycle = visit(dependency, [...path, id]);
      if (cycle) return cycle;
    }
    finished.add(id);
    return null;
  };
  for (const { id } of chunks) {
    const cycle = visit(id, []);
    if (cycle) return cycle;
  }
  return null;
}

/** The failed chunk that a chunk waits for, directly or not. */
export function blockedBy({ chunks, failed, shipped }: Pick<ChunkSpec, 'chunks' | 'failed' | 'shipped'>, id: string, running: string | undefined): string | null {
  const seen = new Set<string>();
  const waits = [...(chunks?.find((chunk) => chunk.id === id)?.dependencies ?? [])];
  for (let next = waits.shift(); next !== undefined; next = waits.shift()) {
    if (seen.has(next) || shipped[next]) continue;
    seen.add(next);
    if (failed[next] && next !== running) return next;
    waits.push(...(chunks?.find((chunk) => chunk.id === next)?.dependencies ?? []));
  }
  return null;
}

function attemptsOf({ paths, texts }: ChunkFiles, folder: string): Attempt[] {
  const attempts = new Map<number, string[]>();
  for (const path of paths) {
    const [, number, name] = (path.startsWith(folder) && /^iteration-(\d+)\/([^/]+)$/.exec(path.slice(folder.length))) || [];
    if (number && name) attempts.set(Number(number), [...(attempts.get(Number(number)) ?? []), name]);
  }
  return [...attempts].sort(([a], [b]) => a - b).map(([number, files]) => {
    const own = `${folder}iteration-${number}/`;
    const text = (name: string) => texts.get(own + name);
    return { number, folder: own.slice(0, -1), files, outcome: outcomeOf(files, text, folder.endsWith(`/${FINAL}/`)) };
  });
}

function outcomeOf(files: readonly string[], text: (name: string) => string | undefined, isFinal: boolean): Outcome {
  if (files.includes('summary.json')) return 'shipped';
  const review = json<Review>(text('review.json'));
  if (isFinal && json<Review>(text('review-final.json'))?.decision === 'SHIP') return 'reviewed';
  const isRejected = files.includes('feedback.md') || isFinal;
  if (isRejected && review?.decision === 'REVISE') return 'revised';
  if (!files.includes('feedback.md')) return 'open';
  return readVerification(text('verification.json'))?.verdict === 'failed' ? 'not verified' : 'rejected';
}

export interface Verification {
  verdict: 'not-configured' | 'passed' | 'failed' | 'inconclusive';
  results: VerificationResult[];
  /** Files that the steps changed; the changes are discarded. */
  discarded: string[];
}

export const readVerification = (text: string | null | undefined): Verification | null => json<Verification>(text);

export const readReview = (text: string | null | undefined): Review | null => json<Review>(text);

export const TIERS: readonly ReviewTier[] = ['quick', 'deep', 'final'];

/** The file of an issue, if its path can be one of the project: relative, and without a way out. */
export function projectFile(file: string): string | null {
  const path = file.replace(/^\.\//, '');
  const isPlain = (name: string) => name !== '' && name !== '.' && name !== '..';
  return !/[\\:\x00-\x1f]/.test(path) && path.split('/').every(isPlain) ? path : null;
}

export interface PatchLine {
  kind: 'added' | 'removed' | 'header' | 'hunk' | 'context';
  text: string;
}

/** The lines of a patch. A hunk has the number of its lines, so a removed line `-- x` is not read as a header. */
export function patchLines(patch: string): PatchLine[] {
  let left = [0, 0];
  return patch.replace(/\n$/, '').split('\n').map((text) => {
    const [, before = '1', after = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text) ?? [];
    if (text.startsWith('@@')) {
      left = [Number(before), Number(after)];
      return { kind: 'hunk', text };
    }
    if (left[0]! <= 0 && left[1]! <= 0) return { kind: text.startsWith('---') || text.startsWith('+++') || text.startsWith('diff ') ? 'header' : 'context', text };
    if (text.startsWith('\\')) return { kind: 'context', text };
    const kind = text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'context';
    if (kind !== 'added') left[0]!--;
    if (kind !== 'removed') left[1]!--;
    return { kind, text };
  });
}

export function json<T extends object>(text: string | null | undefined): T | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}
