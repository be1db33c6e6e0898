import { useSignal } from '@preact/signals';
import { isRunning, MAX_ITERATIONS, view } from '../run/session';
import { hasGates, type RunView } from '../run/view';
import { startup, type Startup } from '../start';
import gate from './gate.svg';
import { ModelButton } from './model/ModelButton';
import { PhaseStepper } from './PhaseStepper';
import { ResetDialog } from './ResetDialog';
import { ThemeToggle } from './ThemeToggle';

export function Header() {
  const resetting = useSignal(false);
  const { iteration, work } = view.value;
  const limit = hasGates(work) ? ` of ${MAX_ITERATIONS}` : '';
  return (
    <header class="top-bar">
      <h1 class="brand">
        <img src={gate} alt="" width="22" height="22" />
        loopgate <span class="muted">demo</span>
      </h1>
      <PhaseStepper />
      <p class="run-facts" data-testid="iteration">{iteration ? `Iteration ${iteration}${limit}` : 'No iteration yet'}</p>
      <StatusPill status={pageStatus(startup.value, view.value)} />
      <div class="top-bar-actions">
        <ModelButton />
        <ThemeToggle />
        <button type="button" class="quiet" disabled={isRunning.value || !('ready' in startup.value)} onClick={() => (resetting.value = true)}>
          Reset project
        </button>
      </div>
      {resetting.value && <ResetDialog onClose={() => (resetting.value = false)} />}
      {(isRunning.value || 'step' in startup.value) && <div class="progress" role="progressbar" aria-label={'step' in startup.value ? startup.value.step : 'A task is running'} />}
    </header>
  );
}

interface PageStatus {
  tone: string;
  text: string;
}

function StatusPill({ status }: { status: PageStatus }) {
  return (
    <p class={`pill tone-${status.tone}`} data-testid="status">
      <span class="visually-hidden">Status: </span>
      {status.text}
    </p>
  );
}

function pageStatus(startup: Startup, view: RunView): PageStatus {
  if ('error' in startup) return { tone: 'bad', text: 'Start failed' };
  if ('step' in startup) return { tone: 'active', text: startup.step };
  switch (view.status) {
    case 'idle':
      return { tone: 'neutral', text: 'Ready' };
    case 'running':
      return { tone: 'active', text: 'Running' };
    case 'stopping':
      return { tone: 'warn', text: 'Stopping' };
    case 'failed':
      return { tone: 'bad', text: 'Failed' };
    case 'finished':
      return view.result ? { tone: view.outcome?.tone ?? 'neutral', text: view.result.success ? 'Done' : SHORT_REASONS[view.result.reason] ?? 'Ended' } : { tone: 'neutral', text: 'Ended' };
  }
}

const SHORT_REASONS: Record<string, string> = {
  aborted: 'Stopped',
  waiting: 'Waiting for you',
  'needs-clarification': 'Needs an answer',
  'gates-failed': 'Gates failed',
  'max-attempts': 'Out of attempts',
  'max-iterations': 'Out of iterations',
  stalled: 'Stalled',
  budget: 'Budget used up',
  blocked: 'Blocked',
  'nothing-to-do': 'Nothing to do',
};
