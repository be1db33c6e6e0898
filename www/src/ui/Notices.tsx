import { useSignal } from '@preact/signals';
import { asked } from '../run/approval';
import { clock, workTitle } from '../run/describe';
import { discardUnfinished, resumeUnfinished, unfinished } from '../run/unfinished';
import { isRunning, otherTab, takeOver, type OtherTab } from '../run/session';
import { missingSetting, modelName, otherModelOf } from '../model/choice';
import { messageOf } from '../snapshots/snapshots';
import { startup } from '../start';
import { Approval } from './Approval';
import { MissingModel, ModelSettingsButton } from './model/ModelButton';

/** Errors at the start, the unfinished run, and the call that a run asks about. */
export function Notices() {
  if ('error' in startup.value) {
    return (
      <div class="notice tone-bad" role="alert">
        <p><strong>The demo could not start.</strong> {startup.value.error}</p>
        <button type="button" onClick={() => location.reload()}>Reload</button>
      </div>
    );
  }
  if (otherTab.value) return <OpenElsewhere tab={otherTab.value} />;
  if ('ready' in startup.value && asked.value) return <Approval asked={asked.value} key={asked.value.id} />;
  return 'ready' in startup.value && unfinished.value && !isRunning.value ? <UnfinishedRun /> : null;
}

/** The run of another tab. This tab can resume it after that tab is closed. */
function OpenElsewhere({ tab: { since, gone } }: { tab: OtherTab }) {
  const blocked = !gone || !('ready' in startup.value) || missingSetting.value !== null;
  return (
    <section class="notice tone-warn" aria-label="Open in another tab">
      <p role="status">
        <strong>This project is open in another tab{since !== undefined && ` since ${clock(since)}`}.</strong>{' '}
        {gone ? 'That tab is gone, and its run is not finished.' : 'Its run is shown here and cannot be changed. When that tab is closed, this one can take over.'}
      </p>
      <button type="button" class="primary" disabled={blocked} onClick={() => void takeOver()}>Take over</button>
      {gone && <MissingModel />}
    </section>
  );
}

function UnfinishedRun() {
  const run = unfinished.value!;
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const missing = missingSetting.value;
  const other = otherModelOf(run.runId);
  const decide = (decision: () => Promise<void>) => async () => {
    busy.value = true;
    await decision().catch((error) => (problem.value = messageOf(error)));
    busy.value = false;
  };
  return (
    <section class="notice tone-warn" aria-label="Unfinished run">
      <p>
        <strong>An unfinished run</strong> was interrupted in iteration {run.iteration}, phase {run.phase}, {clock(run.at)}: “{workTitle(run.work)}”.
        {other && ` It began with ${other}. Resume continues it with ${modelName.value}.`}
        {problem.value && <span class="problem" role="alert"> {problem.value}</span>}
      </p>
      <button type="button" class="primary" disabled={busy.value || missing !== null} onClick={() => void decide(resumeUnfinished)()}>Resume</button>
      {other && !missing && <ModelSettingsButton />}
      <MissingModel />
      <button type="button" disabled={busy.value} onClick={() => void decide(discardUnfinished)()}>Discard</button>
    </section>
  );
}
