import { workTitle } from '../../run/describe';
import { view } from '../../run/session';
import { StructuredTaskView } from './StructuredTaskView';

/** The work of another tab, read only. */
export function OtherTask() {
  const { work, task } = view.value;
  return (
    <div class="panel-body task-form">
      <p>{work ? workTitle(work) : 'Waiting for the events of the other tab …'}</p>
      <p class="muted">This run belongs to another tab.</p>
      {task && <section class="reading" aria-label="Parsed task"><StructuredTaskView task={task} /></section>}
    </div>
  );
}
