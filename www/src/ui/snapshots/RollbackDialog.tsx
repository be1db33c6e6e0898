import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotInfo } from 'loopgate';
import { count } from '../../run/describe';
import { messageOf, planRollback, rollBack, type PlannedRollback } from '../../snapshots/snapshots';
import { announce } from '../announce';
import { Dialog } from '../Dialog';
import { Comparison } from './Comparison';

/** Shows what a rollback would touch, file by file, before it is done. */
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
    <Dialog title={`Roll back to ${tag}?`} wide confirm="Roll back" busy={busy.value} blocked={!plan.value} error={error.value} onConfirm={() => void confirm()} onClose={onClose}>
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
      <p>The project becomes exactly what it was then. What is replaced is saved first, and Undo brings it back.</p>
      <Comparison label="What the rollback touches" groups={groups} from={{ state: 'now', name: 'now' }} to={{ state: { tag }, name: tag }} empty="The files are already as they were then. Nothing would change." />
    </div>
  );
}
