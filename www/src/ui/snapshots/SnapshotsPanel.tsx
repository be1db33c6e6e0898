import { useSignal } from '@preact/signals';
import type { SnapshotInfo } from 'loopgate';
import { clock, count } from '../../run/describe';
import { isRunning } from '../../run/session';
import { lastRollback, messageOf, refreshing, saveSnapshot, snapshotError, snapshots, undoRollback } from '../../snapshots/snapshots';
import { startup } from '../../start';
import { announce } from '../announce';
import { Icon } from '../Icon';
import { RollbackDialog } from './RollbackDialog';
import { SnapshotDialog } from './SnapshotDialog';

type Open = { dialog: 'changes' | 'rollback'; info: SnapshotInfo } | null;

export function SnapshotsPanel() {
  const open = useSignal<Open>(null);
  const problem = useSignal<string | null>(null);
  const busy = useSignal<'saving' | 'undoing' | null>(null);
  // Rows may move while the list is read, so that a click could hit the wrong one.
  const locked = isRunning.value || busy.value !== null || refreshing.value || !('ready' in startup.value);
  const act = (doing: 'saving' | 'undoing', action: () => Promise<void>, done: string) => async () => {
    // A second click may come before the button is rendered as disabled.
    if (busy.peek()) return;
    busy.value = doing;
    problem.value = null;
    try {
      await action();
      announce(done);
    } catch (error) {
      problem.value = messageOf(error);
    } finally {
      busy.value = null;
    }
  };
  const wrong = problem.value ?? snapshotError.value;
  const most = Math.max(1, ...snapshots.value.map(({ changed }) => changed));
  const close = () => (open.value = null);
  return (
    <section class="panel snapshots-panel" aria-labelledby="snapshots-heading">
      <h2 id="snapshots-heading" class="panel-title">
        Snapshots
        <button type="button" class="quiet" disabled={locked} onClick={act('saving', () => saveSnapshot('Saved by hand'), 'Snapshot saved')}><Icon name="camera" /> {busy.value === 'saving' ? 'Saving …' : 'Save'}</button>
      </h2>
      <div class="panel-body" aria-busy={refreshing.value}>
        {wrong && <p class="problem" role="alert">{wrong}</p>}
        <RollbackResult locked={locked} undoing={busy.value === 'undoing'} onUndo={act('undoing', undoRollback, 'Rollback undone')} />
        {snapshots.value.length === 0 && !wrong ? (
          <p class="empty">No snapshots yet. A run saves one before the task and one after it is accepted.</p>
        ) : (
          <ol class="snapshots" reversed>
            {snapshots.value.map((info) => <SnapshotRow key={info.tag} info={info} most={most} locked={locked} onOpen={(dialog) => (open.value = { dialog, info })} />)}
          </ol>
        )}
      </div>
      {open.value?.dialog === 'changes' && <SnapshotDialog key={open.value.info.tag} snapshot={open.value.info} locked={locked} onRollback={() => (open.value = { ...open.value!, dialog: 'rollback' })} onClose={close} />}
      {open.value?.dialog === 'rollback' && <RollbackDialog snapshot={open.value.info} onClose={close} />}
    </section>
  );
}

interface RowProps {
  info: SnapshotInfo;
  /** The highest `changed` of all snapshots. */
  most: number;
  locked: boolean;
  onOpen(dialog: 'changes' | 'rollback'): void;
}

function SnapshotRow({ info, most, locked, onOpen }: RowProps) {
  const { tag, message, at, files, changed } = info;
  return (
    <li class="snapshot" data-tag={tag}>
      <strong>{tag}</strong>
      <time class="muted" dateTime={new Date(at).toISOString()}>{clock(at)}</time>
      {message && message !== tag && <span class="snapshot-message" title={message}>{message}</span>}
      <span class="snapshot-size muted">
        {count(files, 'file')}, {changed} changed
        {/* The width grows with the square root, so that small changes are visible. */}
        <span class="size-bar" aria-hidden="true"><span style={{ width: `${100 * Math.sqrt(changed / most)}%` }} /></span>
      </span>
      <span class="snapshot-actions">
        <button type="button" class="small quiet" aria-label={`Changes of ${tag}`} onClick={() => onOpen('changes')}>Changes</button>
        <button type="button" class="small" disabled={locked} aria-label={`Roll back to ${tag}`} onClick={() => onOpen('rollback')}><Icon name="restore" /> Roll back</button>
      </span>
    </li>
  );
}

function RollbackResult({ locked, undoing, onUndo }: { locked: boolean; undoing: boolean; onUndo(): void }) {
  const done = lastRollback.value;
  if (!done) return null;
  return (
    <div class="rollback-result tone-good" role="status">
      <p><Icon name="check" /> Rolled back to {done.tag}: restored {done.restored.length}, deleted {done.deleted.length}.</p>
      <button type="button" class="small" disabled={locked} onClick={onUndo}>{undoing ? 'Undoing …' : 'Undo'}</button>
    </div>
  );
}
