import { isRunning } from '../../run/session';
import { NewTask } from './NewTask';
import { RunningTask } from './RunningTask';

export function TaskPanel() {
  return (
    <section class="panel task-panel" id="task" aria-labelledby="task-heading" tabIndex={-1}>
      <h2 id="task-heading" class="panel-title">Task</h2>
      {isRunning.value ? <RunningTask /> : <NewTask />}
    </section>
  );
}
