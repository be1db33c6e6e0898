/** The words and icons for chunks, attempts and costs. */
import type { Cost, CurrentChunk, Step } from '../../chunks/progress';
import type { Attempt, ChunkSpec, Outcome } from '../../chunks/spec';
import { blockedBy } from '../../chunks/spec';
import { FINAL } from '../../chunks/progress';
import { count } from '../../run/describe';
import type { Tone } from '../../run/entry';
import type { IconName } from '../Icon';

export interface Shown {
  state: 'pending' | 'running' | 'shipped' | 'failed' | 'blocked';
  tone: Tone;
  icon: IconName;
  text: string;
}

const STEPS: Record<Step, string> = {
  planning: 'the planner works', approval: 'waits for your approval', preparing: 'preparing', executing: 'executing', verifying: 'verifying',
  reviewing: 'reviewing', reverting: 'reverting', committing: 'committing', drafting: 'handing over the pull request',
};

/** `inChunk`: the words follow the title of a chunk. */
export function stepWords({ step, results }: CurrentChunk, inChunk: boolean): string {
  if (step === 'preparing' && !inChunk) return 'preparing the next step';
  return step === 'verifying' && results.length ? `verifying (${count(results.length, 'step')} done)` : STEPS[step];
}

export function describeChunk(spec: ChunkSpec, id: string, current: CurrentChunk | null): Shown {
  if (current?.chunk === id) return { state: 'running', tone: 'active', icon: 'play', text: current.attempt ? `Attempt ${current.attempt}, ${STEPS[current.step]}` : 'Preparing' };
  if (id === FINAL) {
    const passed = spec.attempts(FINAL).at(-1)?.outcome === 'reviewed' && spec.chunks?.every((chunk) => spec.shipped[chunk.id]);
    return passed ? { state: 'shipped', tone: 'good', icon: 'check', text: 'Passed' } : { state: 'pending', tone: 'neutral', icon: 'circle', text: 'Pending' };
  }
  const shipped = spec.shipped[id];
  if (shipped) return { state: 'shipped', tone: 'good', icon: 'check', text: `Shipped ${shipped.commit.slice(0, 7)}` };
  if (spec.failed[id]) return { state: 'failed', tone: 'bad', icon: 'cross', text: 'Failed' };
  const by = blockedBy(spec, id, current?.chunk ?? undefined);
  if (by) return { state: 'blocked', tone: 'warn', icon: 'warning', text: `Blocked by ${by}` };
  return { state: 'pending', tone: 'neutral', icon: 'circle', text: 'Pending' };
}

const OUTCOMES: Record<Outcome, Omit<Shown, 'state'>> = {
  shipped: { tone: 'good', icon: 'check', text: 'Shipped' },
  reviewed: { tone: 'good', icon: 'check', text: 'Passed' },
  revised: { tone: 'warn', icon: 'restore', text: 'Must be revised' },
  'not verified': { tone: 'bad', icon: 'cross', text: 'Verification failed' },
  rejected: { tone: 'bad', icon: 'cross', text: 'Rejected' },
  open: { tone: 'neutral', icon: 'circle', text: 'Not finished' },
};

export function describeAttempt({ folder, outcome }: Attempt, current: CurrentChunk | null): Omit<Shown, 'state'> {
  return current?.folder === folder ? { tone: 'active', icon: 'play', text: STEPS[current.step] } : OUTCOMES[outcome];
}

const number = new Intl.NumberFormat('en');

export function describeCost({ inputTokens, outputTokens, costUsd }: Cost): string {
  const tokens = `${number.format(inputTokens)} + ${number.format(outputTokens)} tokens`;
  return costUsd === null ? `${tokens}, cost unknown` : `${tokens}, $${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}
