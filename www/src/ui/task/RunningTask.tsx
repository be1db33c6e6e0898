import { useSignal } from '@preact/signals';
import { modelError } from '../../model/choice';
import { workTitle } from '../../run/describe';
import { steer, stop, view } from '../../run/session';
import { Icon } from '../Icon';
import { ModelProblem } from '../model/ModelProblem';
import { WaitNotice } from '../model/WaitNotice';
import { StructuredTaskView } from './StructuredTaskView';

export function RunningTask() {
  const { work, task, status, wait } = view.value;
  const text = useSignal('');
  const send = (event: Event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    steer(text.value.trim());
    text.value = '';
  };
  return (
    <div class="panel-body task-form">
      <div class="running-task">
        <p>{work && workTitle(work)}</p>
        <button type="button" class="danger" disabled={status === 'stopping'} onClick={stop}><Icon name="stop" /> {status === 'stopping' ? 'Stopping …' : 'Stop'}</button>
      </div>
      {task && <section class="reading" aria-label="Parsed task"><StructuredTaskView task={task} /></section>}
      {modelError.value && <ModelProblem text={modelError.value} />}
      {wait && status === 'running' && <WaitNotice wait={wait} />}
      <form class="steer" onSubmit={send}>
        <label class="visually-hidden" for="steer-text">Send a message to the agent</label>
        <input id="steer-text" type="text" value={text.value} placeholder="Send a message to the agent" onInput={(event) => (text.value = event.currentTarget.value)} />
        <button type="submit" disabled={!text.value.trim()}><Icon name="send" /> Send</button>
      </form>
    </div>
  );
}
