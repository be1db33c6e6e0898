import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FileChange, SnapshotInfo } from 'loopgate';
import { clock, count } from '../../run/describe';
import { changesBetween, snapshotBefore } from '../../snapshots/comparison';
import { messageOf } from '../../snapshots/snapshots';
import { Dialog } from '../Dialog';
import { Comparison } from './Comparison';

/** The changes of a snapshot, or the changes since. */
export function SnapshotDialog({ snapshot, locked, onRollback, onClose }: { snapshot: SnapshotInfo; locked: boolean; onRollback(): void; onClose(): void }) {
  const { tag, message, at, files } = snapshot;
  const former = snapshotBefore(tag);
  const since = useSignal(former === null);
  const changes = useSignal<FileChange[] | null>(null);
  const error = useSignal<string | null>(null);
  const from = { state: { tag: since.value || !former ? tag : former.tag }, name: since.value || !former ? tag : former.tag };
  const to = since.value ? { state: 'now' as const, name: 'the files now' } : { state: { tag }, name: tag };
  useEffect(() => {
    let current = true;
    changes.value = null;
    error.value = null;
    changesBetween(from.state.tag, to.state).then((found) => current && (changes.value = found), (cause) => current && (error.value = messageOf(cause)));
    return () => {
      current = false;
    };
  }, [since.value]);
  const choice = (value: boolean, label: string, disabled = false) => (
    <label class="inline-field"><input type="radio" name="compare-with" checked={since.value === value} disabled={disabled} onChange={() => (since.value = value)} /> {label}</label>
  );
  return (
    <Dialog title={tag} kind="wide" cancel="Close" confirm="Roll back …" blocked={locked} error={error.value} onConfirm={onRollback} onClose={onClose}>
      <p class="muted">{message && message !== tag ? `${message}, ` : ''}saved at <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>, {count(files, 'file')}</p>
      <fieldset class="compare-with">
        <legend class="visually-hidden">Compare</legend>
        {choice(false, former ? `Changes from ${former.tag}` : 'No earlier snapshot', !former)}
        {choice(true, 'Changes since this snapshot')}
      </fieldset>
      {changes.value
        ? <Comparison label="Changed files" groups={[{ title: count(changes.value.length, 'file'), changes: changes.value }]} from={from} to={to} empty={since.value ? 'The files equal this snapshot.' : 'The snapshots are equal.'} />
        : !error.value && <p role="status">Comparing …</p>}
    </Dialog>
  );
}
