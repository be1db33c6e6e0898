/** What the events of runs say about the specs, in addition to the files. Pure. */
import { formatEvent, type AgentRole, type RunEvent } from 'loopgate';
import type { Tone } from '../run/entry';

export interface SpecProgress {
  current: CurrentSpec | null;
  /** The specs of the run, and how many are verified. */
  total: number;
  finished: number;
  /** Why a plan was invalidated, by the path of its archive. */
  reasons: ReadonlyMap<string, string>;
  /** How an attempt ended, by the path of its log. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** The log that was written last. */
  log: string | null;
}

/** The spec that the run works on. */
export interface CurrentSpec {
  path: string;
  /** The number of its plan. */
  attempt: number;
  role: AgentRole;
  /** The iterations of each role so far. */
  iterations: Partial<Record<AgentRole, number>>;
}

export interface Outcome {
  tone: Tone;
  text: string;
  /** The reason and the findings, or what to do next. */
  detail: string;
}

export const noProgress: SpecProgress = { current: null, total: 0, finished: 0, reasons: new Map(), outcomes: new Map(), log: null };

export const applySpecEvents = (progress: SpecProgress, events: readonly RunEvent[]): SpecProgress => events.reduce(applyEvent, progress);

function applyEvent(progress: SpecProgress, event: RunEvent): SpecProgress {
  const { current } = progress;
  switch (event.type) {
    case 'run-started':
      return { ...progress, current: null, total: event.specs?.length ?? 0, finished: 0, log: null };
    case 'spec-started':
      return { ...progress, current: { path: event.spec, attempt: event.attempt, role: event.candidate ? 'verifier' : event.planned ? 'builder' : 'planner', iterations: {} } };
    case 'iteration-started':
      return current ? { ...progress, current: { ...current, role: event.role, iterations: { ...current.iterations, [event.role]: (current.iterations[event.role] ?? 0) + 1 } } } : progress;
    case 'plan-accepted':
      return withOutcome(progress, { tone: 'good', text: 'The plan is written', detail: '' });
    case 'candidate-recorded':
      // A candidate of an earlier attempt may be recorded again before its verification.
      return current?.role === 'verifier' ? progress : withOutcome(progress, { tone: 'good', text: `Candidate ${event.candidate.commit.slice(0, 7)}`, detail: '' });
    case 'attempt-failed':
      return withOutcome(progress, { tone: 'bad', text: 'Failed', detail: event.feedback });
    case 'candidate-outdated':
      return withOutcome(progress, { tone: 'warn', text: 'Files changed meanwhile', detail: event.paths.join('\n') });
    case 'verdict-given':
      return withOutcome(progress, { tone: VERDICT_TONES[event.verdict], text: formatEvent({ ...event, reason: '' })?.text ?? '', detail: [event.reason, ...event.findings.map((finding) => `- ${finding}`)].filter(Boolean).join('\n') });
    case 'plan-invalidated': {
      if (!current) return progress;
      const reasons = new Map(progress.reasons).set(archivePath(current.path, event.attempt), event.reason);
      return { ...progress, reasons, current: { ...current, attempt: event.attempt + 1, role: 'planner' } };
    }
    case 'log-written':
      return { ...progress, log: event.path };
    case 'spec-finished':
      return { ...progress, current: null, finished: progress.finished + 1 };
    case 'run-finished':
    case 'run-failed':
      return { ...progress, current: null };
    default:
      return progress;
  }
}

const VERDICT_TONES = { accept: 'good', fix: 'warn', invalidate_plan: 'bad' } as const;

function withOutcome(progress: SpecProgress, outcome: Outcome): SpecProgress {
  return progress.log ? { ...progress, outcomes: new Map(progress.outcomes).set(progress.log, outcome) } : progress;
}

const archivePath = (spec: string, number: number): string => spec.replace(/^specs\/(.*)\.md$/, `specs/plans/$1.attempt-${number}.md`);
