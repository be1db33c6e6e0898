import { isRunning, otherTab } from '../../run/session';
import { NewTask } from './NewTask';
import { OtherTask } from './OtherTask';
import { RunningTask } from './RunningTask';

export function TaskPanel() {
  return (
    <section class="panel task-panel" id="task" aria-labelledby="task-heading" tabIndex={-1}>
      <h2 id="task-heading" class="panel-title">Task</h2>
      {otherTab.value ? <OtherTask /> : isRunning.value ? <RunningTask /> : <NewTask />}
    </section>
  );
}
