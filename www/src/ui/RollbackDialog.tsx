import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotInfo } from 'loopgate';
import { count } from '../run/describe';
import { messageOf, planRollback, rollBack, type RollbackPlan } from '../snapshots/snapshots';
import { announce } from './announce';
import { Dialog } from './Dialog';

/** Shows what a rollback would touch before it is done. */
export function RollbackDialog({ snapshot, onClose }: { snapshot: SnapshotInfo; onClose(): void }) {
  const plan = useSignal<RollbackPlan | null>(null);
  const busy = useSignal(false);
  const error = useSignal<string | null>(null);
  useEffect(() => {
    planRollback(snapshot.tag).then((result) => (plan.value = result), (cause) => (error.value = messageOf(cause)));
  }, []);
  const confirm = async () => {
    busy.value = true;
    try {
      await rollBack(snapshot.tag);
      announce(`Rolled back to ${snapshot.tag}`);
      onClose();
    } catch (cause) {
      error.value = messageOf(cause);
      busy.value = false;
    }
  };
  return (
    <Dialog title={`Roll back to ${snapshot.tag}?`} confirm="Roll back" busy={busy.value} error={error.value} onConfirm={() => void confirm()} onClose={onClose}>
      {plan.value ? <Touched {...plan.value} /> : !error.value && <p role="status">Comparing the files with the snapshot …</p>}
    </Dialog>
  );
}

function Touched({ restored, deleted }: RollbackPlan) {
  if (!restored.length && !deleted.length) return <p>The files are already as they were then. Nothing would change.</p>;
  return (
    <div class="touched" role="group" aria-label="What the rollback touches" tabIndex={0}>
      <p>The project becomes exactly what it was then:</p>
      <Paths title={`${count(restored.length, 'file')} restored`} paths={restored} />
      <Paths title={`${count(deleted.length, 'file')} deleted`} paths={deleted} />
    </div>
  );
}

function Paths({ title, paths }: { title: string; paths: string[] }) {
  if (!paths.length) return null;
  return (
    <details open>
      <summary>{title}</summary>
      <ul class="file-list">{paths.map((path) => <li key={path}>{path}</li>)}</ul>
    </details>
  );
}
