import { useSignal } from '@preact/signals';
import type { SnapshotInfo } from 'loopgate';
import { clock, count } from '../run/describe';
import { isRunning } from '../run/session';
import { lastRollback, messageOf, saveSnapshot, snapshotError, snapshots, undoRollback } from '../snapshots/snapshots';
import { startup } from '../start';
import { Icon } from './Icon';
import { RollbackDialog } from './RollbackDialog';

export function SnapshotsPanel() {
  const chosen = useSignal<SnapshotInfo | null>(null);
  const problem = useSignal<string | null>(null);
  const locked = isRunning.value || !('ready' in startup.value);
  const act = (action: () => Promise<void>) => () => {
    problem.value = null;
    action().catch((error) => (problem.value = messageOf(error)));
  };
  const wrong = problem.value ?? snapshotError.value;
  return (
    <section class="panel snapshots-panel" aria-labelledby="snapshots-heading">
      <h2 id="snapshots-heading" class="panel-title">
        Snapshots
        <button type="button" class="quiet" disabled={locked} onClick={act(() => saveSnapshot('Saved by hand'))}><Icon name="camera" /> Save</button>
      </h2>
      <div class="panel-body">
        {wrong && <p class="problem" role="alert">{wrong}</p>}
        <RollbackResult onUndo={act(undoRollback)} />
        {snapshots.value.length === 0 && !wrong ? (
          <p class="empty">A run saves the project before it starts and after it is accepted.</p>
        ) : (
          <ul class="snapshots">
            {snapshots.value.map((info) => <SnapshotRow key={info.tag} info={info} locked={locked} onRollback={() => (chosen.value = info)} />)}
          </ul>
        )}
      </div>
      {chosen.value && <RollbackDialog snapshot={chosen.value} onClose={() => (chosen.value = null)} />}
    </section>
  );
}

function SnapshotRow({ info, locked, onRollback }: { info: SnapshotInfo; locked: boolean; onRollback(): void }) {
  const { tag, message, at, files, changed } = info;
  return (
    <li class="snapshot" data-tag={tag}>
      <strong>{tag}</strong>
      <button type="button" class="small" disabled={locked} aria-label={`Roll back to ${tag}`} onClick={onRollback}><Icon name="restore" /> Roll back</button>
      {message && message !== tag && <span class="snapshot-message" title={message}>{message}</span>}
      <span class="snapshot-facts muted"><time dateTime={new Date(at).toISOString()}>{clock(at)}</time>, {count(files, 'file')}, {changed} changed</span>
    </li>
  );
}

function RollbackResult({ onUndo }: { onUndo(): void }) {
  const done = lastRollback.value;
  if (!done) return null;
  return (
    <div class="rollback-result tone-good" role="status">
      <p><Icon name="check" /> Rolled back to {done.tag}: restored {done.restored.length}, deleted {done.deleted.length}.</p>
      <button type="button" class="small" onClick={onUndo}>Undo</button>
    </div>
  );
}
