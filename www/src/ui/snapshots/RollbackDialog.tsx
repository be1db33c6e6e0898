import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotInfo } from 'loopgate';
import { count } from '../../run/describe';
import { messageOf, planRollback, rollBack, type PlannedRollback } from '../../snapshots/snapshots';
import { announce } from '../announce';
import { Dialog } from '../Dialog';
import { Comparison } from './Comparison';

/** Shows the changes of a rollback, file by file, before it runs. */
export function RollbackDialog({ snapshot, onClose }: { snapshot: SnapshotInfo; onClose(): void }) {
  const { tag } = snapshot;
  const plan = useSignal<PlannedRollback | null>(null);
  const busy = useSignal(false);
  const error = useSignal<string | null>(null);
  useEffect(() => {
    planRollback(tag).then((result) => (plan.value = result), (cause) => (error.value = messageOf(cause)));
  }, []);
  const confirm = async () => {
    busy.value = true;
    try {
      await rollBack(tag);
      announce(`Rolled back to ${tag}`);
      onClose();
    } catch (cause) {
      error.value = messageOf(cause);
      busy.value = false;
    }
  };
  return (
    <Dialog title={`Roll back to ${tag}?`} kind="wide" confirm="Roll back" busy={busy.value} blocked={!plan.value} error={error.value} onConfirm={() => void confirm()} onClose={onClose}>
      {plan.value ? <Touched tag={tag} {...plan.value} /> : !error.value && <p role="status">Comparing the files with the snapshot …</p>}
    </Dialog>
  );
}

function Touched({ tag, restored, deleted }: PlannedRollback & { tag: string }) {
  const groups = [
    { title: `${count(restored.length, 'file')} restored`, changes: restored },
    { title: `${count(deleted.length, 'file')} deleted`, changes: deleted },
  ];
  return (
    <div class="touched">
      <p>This restores the exact state of the snapshot. The present state is saved first, and Undo restores it.</p>
      <Comparison label="Files changed by the rollback" groups={groups} from={{ state: 'now', name: 'now' }} to={{ state: { tag }, name: tag }} empty="The files equal the snapshot. Nothing would change." />
    </div>
  );
}
