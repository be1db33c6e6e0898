import { useSignal } from '@preact/signals';
import { buildProject } from '../host/build';
import { forgetPlan } from '../plan/plan';
import { look, openPath } from '../project/project';
import { resetProject } from '../project/seed';
import { clearRun } from '../run/session';
import { unfinished } from '../run/unfinished';
import { lastRollback, messageOf, refreshSnapshots } from '../snapshots/snapshots';
import { announce } from './announce';
import { Dialog } from './Dialog';

export function ResetDialog({ onClose }: { onClose(): void }) {
  const busy = useSignal(false);
  const error = useSignal<string | null>(null);
  const reset = async () => {
    busy.value = true;
    try {
      await resetProject();
      clearRun();
      forgetPlan();
      unfinished.value = null;
      lastRollback.value = null;
      openPath.value = 'src/App.tsx';
      await look();
      await refreshSnapshots();
      await buildProject();
      announce('The project was reset');
      onClose();
    } catch (cause) {
      error.value = messageOf(cause);
      busy.value = false;
    }
  };
  return (
    <Dialog title="Reset the project?" confirm="Reset project" busy={busy.value} error={error.value} onConfirm={() => void reset()} onClose={onClose}>
      <p>All files, all snapshots and the history of this project are deleted, and the template takes their place. This cannot be undone.</p>
    </Dialog>
  );
}
