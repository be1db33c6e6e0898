import { useSignal } from '@preact/signals';
import { missingSetting, modelError, modelKind } from '../model/choice';
import { resultTitle, resultTone, workTitle } from '../run/describe';
import { isRunning, planMode, startTask, steer, stop, view } from '../run/session';
import { unfinished } from '../run/unfinished';
import { startup } from '../start';
import { Icon } from './Icon';
import { ModelSettings } from './ModelSettings';
import { showTab } from './Workspace';

const FIRST_TASK = 'Build a landing page for Driftwood, a small coffee roastery by the sea.';
const NEXT_TASKS = ['Add a pricing section', 'Add a FAQ section', 'Add testimonials'];

const message = { current: FIRST_TASK };

export function TaskPanel() {
  return (
    <section class="panel task-panel" id="task" aria-labelledby="task-heading" tabIndex={-1}>
      <h2 id="task-heading" class="panel-title">Task</h2>
      <div class="panel-body">{isRunning.value ? <RunningTask /> : <NewTask />}</div>
    </section>
  );
}

function NewTask() {
  const text = useSignal(message.current);
  const problem = missingSetting.value ?? (text.value.trim() ? null : 'Describe a task');
  const ready = 'ready' in startup.value;
  const write = (value: string) => (text.value = message.current = value);
  const run = (event: Event) => {
    event.preventDefault();
    if (!problem && ready) {
      unfinished.value = null;
      void startTask(text.value.trim());
    }
  };
  return (
    <form class="task-form" onSubmit={run}>
      <Outcome />
      <label class="visually-hidden" for="task-text">What should the agent do?</label>
      <textarea
        id="task-text"
        rows={3}
        value={text.value}
        placeholder="What should the agent do?"
        aria-describedby="task-hint"
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && run(event)}
      />
      {view.value.result?.success && modelKind.value === 'scripted' && (
        <p class="suggestions">
          <span class="muted">Next:</span>
          {NEXT_TASKS.map((task) => <button key={task} type="button" class="chip" onClick={() => write(task)}>{task}</button>)}
        </p>
      )}
      <div class="task-actions">
        <label class="inline-field">
          Plan
          <select value={planMode.value} onChange={(event) => (planMode.value = event.currentTarget.value as typeof planMode.value)}>
            <option value="auto">optional</option>
            <option value="required">required</option>
            <option value="off">off</option>
          </select>
        </label>
        <span id="task-hint" class="muted hint">{problem ?? 'Ctrl+Enter runs it'}</span>
        <button type="submit" class="primary" disabled={problem !== null || !ready}><Icon name="play" /> Run</button>
      </div>
      <ModelSettings />
    </form>
  );
}

/** How the last run ended. */
function Outcome() {
  const { result, failure } = view.value;
  if (!result && !failure) return null;
  const tone = result ? resultTone(result) : 'bad';
  return (
    <div class={`outcome tone-${tone}`} data-testid="outcome">
      <p><Icon name={tone === 'good' ? 'check' : 'warning'} /> {result ? resultTitle(result) : `The run failed (${failure?.code}): ${failure?.message}`}</p>
      {modelError.value && <p class="advice">{modelError.value}</p>}
      {result?.success && <button type="button" class="small" onClick={() => showTab('preview')}>Show the page</button>}
    </div>
  );
}

function RunningTask() {
  const { work, status } = view.value;
  const text = useSignal('');
  const send = (event: Event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    steer(text.value.trim());
    text.value = '';
  };
  return (
    <div class="task-form">
      <div class="running-task">
        <p>{work && workTitle(work)}</p>
        <button type="button" class="danger" disabled={status === 'stopping'} onClick={stop}><Icon name="stop" /> {status === 'stopping' ? 'Stopping …' : 'Stop'}</button>
      </div>
      {modelError.value && <p class="problem" role="alert">{modelError.value}</p>}
      <form class="steer" onSubmit={send}>
        <label class="visually-hidden" for="steer-text">Tell the agent something while it works</label>
        <input id="steer-text" type="text" value={text.value} placeholder="Tell the agent something while it works" onInput={(event) => (text.value = event.currentTarget.value)} />
        <button type="submit" disabled={!text.value.trim()}><Icon name="send" /> Send</button>
      </form>
    </div>
  );
}
