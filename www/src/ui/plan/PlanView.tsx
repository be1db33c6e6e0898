import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { comparePlan } from '../../plan/diff';
import { FIRST_PLAN, isChanged, PLAN } from '../../plan/document';
import { plan, reloadPlan, savePlan, startPlan } from '../../plan/plan';
import { judgeScope } from '../../plan/scope';
import { revision } from '../../project/project';
import { isRunning } from '../../run/session';
import { messageOf } from '../../snapshots/snapshots';
import { showsPlanSource, startup } from '../../store';
import { announce } from '../announce';
import { Conflict } from '../Conflict';
import { PlanEditor } from './PlanEditor';
import { PlanTree } from './PlanTree';
import { Problems } from './Problems';

/** The plan: outline, source and problems. */
export function PlanView() {
  const problem = useSignal<string | null>(null);
  const exists = useComputed(() => plan.value.saved !== null || plan.value.text !== '');
  const ready = 'ready' in startup.value;
  const act = (action: () => Promise<void>, done?: string) => () => {
    problem.value = null;
    action().then(() => done && announce(done), (error) => (problem.value = messageOf(error)));
  };
  useEffect(() => {
    if (!ready) return;
    void reloadPlan();
    void comparePlan();
    void judgeScope();
  }, [ready, revision.value]);

  const save = act(savePlan, 'Plan saved');
  const write = async () => {
    showsPlanSource.value = true;
    await startPlan(FIRST_PLAN);
  };
  return (
    <div class="plan-view">
      {problem.value && <p class="problem code-note" role="alert">{problem.value}</p>}
      {exists.value ? (
        <>
          <PlanBar onSave={save} />
          <Conflict path={PLAN} />
          <div class={`plan-columns ${showsPlanSource.value ? 'with-source' : ''}`}>
            <div class="plan-outline" role="region" aria-label="Plan outline" tabIndex={0}><PlanTree /></div>
            <PlanEditor onSave={save} />
          </div>
          <Problems />
        </>
      ) : (
        <div class="empty">
          <p>No plan yet. When a task needs one, the agent writes <code>{PLAN}</code>, and loopgate checks it before the build.</p>
          <button type="button" disabled={!ready || isRunning.value} onClick={act(write, 'Plan created')}>Write a plan yourself</button>
        </div>
      )}
    </div>
  );
}

function PlanBar({ onSave }: { onSave(): void }) {
  const changed = isChanged(plan.value);
  const state = isRunning.value ? 'read only during a run' : changed ? 'not saved' : 'saved';
  return (
    <div class="view-bar">
      <code class="file-name">{PLAN}</code> <span class="muted" data-testid="plan-state">{state}</span>
      <p id="plan-help" class="visually-hidden">F8 goes to the next problem, Ctrl+. applies its first suggestion, Ctrl+S saves, Tab leaves the editor.</p>
      <span class="bar-end">
        <button type="button" class="quiet small plan-source" aria-pressed={showsPlanSource.value} onClick={() => (showsPlanSource.value = !showsPlanSource.value)}>Source</button>
        <button type="button" class="small" disabled={!changed || isRunning.value || plan.value.theirs !== undefined} aria-keyshortcuts="Control+S" onClick={onSave}>Save plan</button>
      </span>
    </div>
  );
}
