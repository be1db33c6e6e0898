/** The words and icons for specs, steps, attempts and amounts. */
import type { ListedAttempt, ListedChunk, ListedSpec, Usage } from 'loopgate';
import type { Draft } from '../../specs/draft';
import { FINAL, type Spec } from '../../specs/specs';
import { count, dollars, thousands } from '../../run/describe';
import type { Tone } from '../../run/entry';
import type { IconName } from '../Icon';

export interface Shown {
  tone: Tone;
  icon: IconName;
  text: string;
}

const shown = (tone: Tone, icon: IconName, text: string): Shown => ({ tone, icon, text });

const STAGES: Record<Draft['stage'], string> = { idea: 'Draft: the idea', questions: 'Draft: questions', review: 'Draft: review', steps: 'Draft: steps' };

export function describeSpec({ listed, steps, waits, problem, text }: Spec, draft: Draft | undefined, isRunning: boolean): Shown {
  if (isRunning) return shown('active', 'play', 'Running');
  if (waits) return shown('warn', 'warning', 'Waiting for you');
  if (draft) return shown('neutral', 'circle', STAGES[draft.stage]);
  if (problem) return shown('bad', 'cross', 'The steps cannot run');
  if (listed) return describeListed(listed);
  const own = steps.filter(({ id }) => id !== FINAL);
  if (!own.length) return shown('neutral', 'circle', text.trim() ? 'Not split into steps' : 'Empty');
  const [shipped, failed] = [own.filter(({ state }) => state === 'shipped').length, own.some(({ state }) => state === 'failed')];
  const words = `${shipped} of ${own.length} shipped`;
  return shipped === own.length ? shown('good', 'check', words) : failed ? shown('bad', 'cross', words) : shown('neutral', 'circle', words);
}

function describeListed({ state, plans, attempts, feedback, reason = '' }: ListedSpec): Shown {
  switch (state) {
    case 'new':
      return shown('neutral', 'circle', 'Not started');
    case 'drafting':
      return reason ? shown('warn', 'warning', 'The plan was wrong') : shown('neutral', 'circle', 'Planning is not finished');
    case 'planned':
      return feedback ? shown('warn', 'warning', 'Must be fixed') : shown('active', 'circle', 'Planned');
    case 'candidate':
      return shown('active', 'dot', 'Built, not verified');
    case 'failed':
      return shown('bad', 'cross', `Failed after ${attempts ? count(attempts, 'attempt') : count(plans, 'plan')}`);
    case 'done':
      return shown('good', 'check', 'Done');
    case 'not-a-spec':
      return shown('neutral', 'dot', 'Not a spec');
  }
}

/** `isRunning`: the run is active. Otherwise, an open attempt is unfinished. */
export function describeStep({ state, id, commit = '', blockedBy = [], attempts }: ListedChunk, all: readonly ListedChunk[], isRunning: boolean): Shown {
  switch (state) {
    case 'running':
      if (!isRunning) return shown('warn', 'stop', 'Not finished');
      return shown('active', 'play', id === FINAL ? 'Reviewing' : `Attempt ${Math.max(1, attempts.length)}`);
    case 'shipped':
      return shown('good', 'check', id === FINAL ? 'Passed' : `Shipped ${commit.slice(0, 7)}`);
    case 'failed':
      return shown('bad', 'cross', 'Failed');
    case 'blocked':
      return shown('warn', 'warning', `Blocked by ${blockedBy.map((id) => all.find((step) => step.id === id)?.title ?? id).join(', ')}`);
    case 'pending':
      return shown('neutral', 'circle', 'Pending');
  }
}

export function describeAttempt({ outcome, reviews }: ListedAttempt, isFinal: boolean, isRunning: boolean): Shown {
  switch (outcome) {
    case 'shipped':
      return shown('good', 'check', isFinal ? 'Passed' : 'Shipped');
    case 'revised':
      return shown('warn', 'restore', 'Changes requested');
    case 'rejected':
      return shown('bad', 'cross', 'Verification failed');
    case 'aborted':
      return shown('neutral', 'stop', 'Stopped, undone');
    case 'open':
      if (!isRunning) return shown('warn', 'stop', 'Not finished');
      return Object.keys(reviews).length ? shown('active', 'play', 'In review') : shown('active', 'play', 'Working');
  }
}

export const money = (amount: number): string => dollars(amount, false);

export const tokens = ({ inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>): string =>
  `${thousands(inputTokens + outputTokens)} tokens (${thousands(inputTokens)} in, ${thousands(outputTokens)} out)`;
