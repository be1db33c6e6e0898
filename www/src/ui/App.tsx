import { progress } from '../chunks/chunks';
import { activity } from '../run/activity';
import { view } from '../run/session';
import { Announcer } from './Announcer';
import { GatesPanel } from './GatesPanel';
import { Header } from './Header';
import { FilesPanel } from './FilesPanel';
import { ModelDialog, modelDialog } from './model/ModelDialog';
import { Notices } from './Notices';
import { SnapshotsPanel } from './snapshots/SnapshotsPanel';
import { TaskPanel } from './task/TaskPanel';
import { Timeline } from './Timeline';
import { Workspace } from './Workspace';

export function App() {
  return (
    <>
      <a class="skip-link" href="#task">Skip to the task</a>
      <Header />
      <Notices />
      <main class="workbench">
        <div class="column files-column">
          <FilesPanel />
          <SnapshotsPanel />
        </div>
        <div class="column work-column">
          <Workspace />
          <GatesPanel />
        </div>
        <div class="column agent-column">
          <TaskPanel />
          <Timeline entries={view.value.entries} activity={activity(view.value, progress.value.current?.step === 'approval')} />
        </div>
      </main>
      {modelDialog.value && <ModelDialog />}
      <Announcer />
    </>
  );
}
