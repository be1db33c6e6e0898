/** The state of the page in words. */
import { computed } from '@preact/signals';
import { otherTab, startup } from '../store';
import { asked } from './approval';
import { view } from './session';
import { unproven, type RunView } from './view';

interface PageState {
  text: string;
  tone: 'neutral' | 'active' | 'good' | 'warn' | 'bad';
  /** A run goes on, or waits for the user. */
  isOpen: boolean;
}

export const pageState = computed<PageState>(() => {
  if ('error' in startup.value) return { tone: 'bad', text: 'Start failed', isOpen: false };
  if ('step' in startup.value) return { tone: 'active', text: startup.value.step, isOpen: false };
  if (otherTab.value?.gone) return { tone: 'warn', text: 'Interrupted', isOpen: true };
  if (asked.value) return { tone: 'warn', text: 'Waiting for you', isOpen: true };
  return stateOf(view.value);
});

const WORKING = { plan: 'Planning', build: 'Building', check: 'Checking', review: 'Reviewing', accept: 'Finishing' } as const;

function stateOf({ status, phase, wait, result, outcome, requirements }: RunView): PageState {
  switch (status) {
    case 'idle':
      return { tone: 'neutral', text: 'Ready', isOpen: false };
    case 'running':
      return wait ? { tone: 'warn', text: 'Retrying', isOpen: true } : { tone: 'active', text: phase ? WORKING[phase] : 'Starting', isOpen: true };
    case 'stopping':
      return { tone: 'warn', text: 'Stopping', isOpen: true };
    case 'interrupted':
      return { tone: 'warn', text: 'Interrupted', isOpen: true };
    case 'stopped':
      return { tone: 'warn', text: 'Stopped', isOpen: false };
    case 'failed':
      return { tone: 'bad', text: 'Failed', isOpen: false };
    case 'finished':
      if (!result) return { tone: 'neutral', text: 'Ended', isOpen: false };
      return { tone: outcome?.tone ?? 'neutral', text: result.success ? (unproven(requirements).length ? 'To look at' : 'Done') : REASONS[result.reason] ?? 'Ended', isOpen: result.reason === 'needs-clarification' || result.reason === 'waiting' };
  }
}

const REASONS: Record<string, string> = {
  aborted: 'Stopped',
  waiting: 'Waiting for you',
  'needs-clarification': 'Needs you',
  'gates-failed': 'Checks failed',
  'max-attempts': 'Out of attempts',
  'max-iterations': 'Limit reached',
  stalled: 'Stalled',
  budget: 'Budget used up',
  blocked: 'Blocked',
  'nothing-to-do': 'Nothing to do',
};
