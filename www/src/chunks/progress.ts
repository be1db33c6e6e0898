/** What the events of runs say about the chunks, in addition to the files. Pure. */
import type { RunEvent, VerificationResult } from 'loopgate';

/** The id of the final review, which has attempts like a chunk. */
export const FINAL = 'final-review';

export type Step = 'planning' | 'approval' | 'preparing' | 'executing' | 'verifying' | 'reviewing' | 'reverting' | 'committing' | 'drafting';

export interface CurrentChunk {
  spec: string;
  /** Null before the first chunk and between chunks. */
  chunk: string | null;
  step: Step;
  /** Counts in this run; 0 before the first one. */
  attempt: number;
  /** The folder of the attempt's record. */
  folder: string | null;
  /** The results of the verification so far. */
  results: VerificationResult[];
}

export interface Cost {
  inputTokens: number;
  outputTokens: number;
  /** In US dollars; null if the cost of an answer is unknown. */
  costUsd: number | null;
  /** The models that answered. */
  models: readonly string[];
}

export interface ChunkProgress {
  current: CurrentChunk | null;
  /** By the id of the run, then by `<spec>/<chunk>`. Without a chunk, it is the cost of the planning. */
  costs: ReadonlyMap<string, ReadonlyMap<string, Cost>>;
}

export const noChunkProgress: ChunkProgress = { current: null, costs: new Map() };

export const applyChunkEvents = (progress: ChunkProgress, events: readonly RunEvent[]): ChunkProgress => events.reduce(applyEvent, progress);

/** What a chunk cost in all runs, or null. */
export function costOf({ costs }: ChunkProgress, spec: string, chunk: string): Cost | null {
  const all = [...costs.values()].flatMap((run) => run.get(`${spec}/${chunk}`) ?? []);
  return all.length ? all.reduce(sum) : null;
}

/** What the spec cost in all runs: its planning, its chunks and the final review. */
export function costOfSpec({ costs }: ChunkProgress, spec: string): Cost | null {
  const all = [...costs.values()].flatMap((run) => [...run].filter(([key]) => key.startsWith(`${spec}/`)).map(([, cost]) => cost));
  return all.length ? all.reduce(sum) : null;
}

function applyEvent(progress: ChunkProgress, event: RunEvent): ChunkProgress {
  const { current } = progress;
  switch (event.type) {
    case 'run-started': {
      // The journal of a run may be read twice.
      const costs = new Map(progress.costs);
      costs.delete(event.runId);
      const { work } = event;
      return { costs, current: work.kind === 'chunks' ? { spec: work.spec, chunk: null, step: event.chunks ? 'preparing' : 'planning', attempt: 0, folder: null, results: [] } : null };
    }
    case 'run-finished':
    case 'run-failed':
      return { ...progress, current: null };
    case 'usage':
      return current ? withCost(progress, event, `${current.spec}/${current.chunk ?? ''}`) : progress;
    default: {
      const next = current && nextStep(current, event);
      return next ? { ...progress, current: { ...current, ...next } } : progress;
    }
  }
}

/** What an event changes, or null. */
function nextStep(current: CurrentChunk, event: RunEvent): Partial<CurrentChunk> | null {
  switch (event.type) {
    case 'proposal-rejected':
      return { step: 'planning' };
    case 'chunks-proposed':
      return { step: 'approval' };
    case 'chunks-approved':
      return { step: 'preparing' };
    case 'chunk-started':
      return { chunk: event.chunk, step: 'preparing', attempt: 0, folder: null, results: [] };
    case 'attempt-started':
      return { step: 'executing', attempt: event.attempt, folder: event.folder, results: [] };
    case 'iteration-started':
      return event.role === 'reviewer' ? { step: 'reviewing' } : event.role === 'builder' ? { step: 'executing' } : null;
    case 'attempt-recorded':
      return { step: 'verifying' };
    case 'verification-checked':
      return { results: [...current.results, event.result] };
    case 'verification-finished':
      return { step: event.feedback === null ? 'reviewing' : 'reverting' };
    case 'review-given':
      return { step: event.review.decision === 'SHIP' ? 'committing' : 'reverting' };
    case 'attempt-rejected':
      return { step: 'reverting' };
    case 'attempt-reverted':
      return { step: 'preparing' };
    case 'summary-written':
    case 'chunk-failed':
      return { chunk: null, step: 'preparing', attempt: 0, folder: null, results: [] };
    case 'pull-request-drafted':
      return { step: 'drafting' };
    default:
      return null;
  }
}

function withCost(progress: ChunkProgress, { runId, usage, model }: Extract<RunEvent, { type: 'usage' }>, key: string): ChunkProgress {
  const own = progress.costs.get(runId);
  const { inputTokens, outputTokens, costUsd = null } = usage;
  const cost: Cost = { inputTokens, outputTokens, costUsd, models: model ? [model] : [] };
  const before = own?.get(key);
  return { ...progress, costs: new Map(progress.costs).set(runId, new Map(own).set(key, before ? sum(before, cost) : cost)) };
}

const sum = (a: Cost, b: Cost): Cost => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  models: [...new Set([...a.models, ...b.models])],
});
