import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isScripted, missingSetting, refusalOf } from '../../model/choice';
import { messages } from '../../model/story/stories';
import { asked } from '../../run/approval';
import { startingStory } from '../../run/begin';
import { isAsked, isRunning, pending, planMode, stop, unfinished, view } from '../../run/session';
import { otherTab, showTab, startup } from '../../store';
import { newSpec } from '../../specs/specs';
import { problemOf } from '../../task/draft';
import { edit, editing, message, preview, propose, send } from '../../task/preview';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { ScriptRefusal } from '../StoryGallery';
import { COMPOSER, focusComposer } from '../focus';

/** `spec`: the message is the idea of a new spec. */
const mode = signal<'task' | 'spec'>('task');

/** The message to the agent, always at the end of the thread. */
export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  const running = isRunning.value;
  const text = message.value.trim();
  const isSpec = mode.value === 'spec' && !running;
  const problem = problemNow(text, isSpec);
  const work = { kind: 'task', message: text } as const;
  const refused = text !== '' && !running && !isSpec && !isAsked.value && refusalOf(work, preview.value?.edited) !== null;
  useLayoutEffect(() => {
    // The field grows with its text, up to its `max-height`.
    const { style } = field.current!;
    style.height = 'auto';
    style.height = `${field.current!.scrollHeight + 2}px`;
  }, [message.value]);
  // The button loses the focus when it is disabled at the end of a run.
  const hadFocus = document.activeElement?.closest('.composer');
  useLayoutEffect(() => {
    if (!running && hadFocus) field.current!.focus();
  }, [running]);
  const submit = () => {
    if (problem || refused || !text || otherTab.value) return;
    if (!isSpec) return void send();
    message.value = '';
    showTab('specs');
    void newSpec({ idea: text });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form class="composer" id="task" aria-label="Task" onSubmit={(event) => { event.preventDefault(); submit(); }}>
      {!running && !asked.value && (!text || refused) && <Suggestions />}
      {refused && !asked.value && <ScriptRefusal work={work} edited={preview.value?.edited} />}
      {!running && !isSpec && !asked.value && <Chips refused={refused} />}
      <label class="visually-hidden" for={COMPOSER}>{running ? 'Send a message to the agent' : 'What should change?'}</label>
      <textarea id={COMPOSER} ref={field} rows={1} value={message.value} disabled={otherTab.value !== null} placeholder={placeholder(isSpec)} aria-describedby="task-hint" onInput={(event) => (message.value = event.currentTarget.value)} onKeyDown={onKeyDown} />
      <div class="composer-row">
        {!running && (
          <>
            <select aria-label="Mode" value={mode.value} onChange={(event) => (mode.value = event.currentTarget.value as typeof mode.value)}>
              <option value="task">Task</option>
              <option value="spec">Spec</option>
            </select>
            {!isSpec && (
              <select id="composer-plan" aria-label="Plan first" value={planMode.value} onChange={(event) => (planMode.value = event.currentTarget.value as typeof planMode.value)}>
                <option value="auto">Plan first: when needed</option>
                <option value="ask">Plan first: always, ask me</option>
                <option value="off">Plan first: never</option>
              </select>
            )}
          </>
        )}
        {/* The same element, so that it keeps the focus. */}
        <button type={running ? 'button' : 'submit'} class={running ? 'danger' : 'primary'} disabled={running ? otherTab.value !== null : problem !== null || refused} onClick={running ? stop : undefined}>
          <Icon name={running ? 'stop' : 'play'} /> {running ? (view.value.status === 'stopping' ? 'Stop now' : 'Stop') : isSpec ? 'New spec' : 'Run'}
        </button>
      </div>
      <p id="task-hint" class="muted hint">{hint(problem, text, running, refused, isSpec)}{!running && !isSpec && missingSetting.value && <ModelSettingsButton />}</p>
    </form>
  );
}

/** Why the message cannot be sent. */
function problemNow(text: string, isSpec: boolean): string | null {
  if (isRunning.value) return null;
  if (!('ready' in startup.value)) return 'The demo has not started';
  if (startingStory.value) return 'Starting …';
  if (isSpec) return text ? null : 'Describe what you want to build';
  const { edited, task } = preview.value ?? {};
  return missingSetting.value ?? (text ? null : 'Describe what should change') ?? (edited && task ? problemOf(task) : null);
}

function hint(problem: string | null, text: string, running: boolean, refused: boolean, isSpec: boolean): string {
  if ('step' in startup.value) return '';
  if (otherTab.value) return text ? 'Your text stays here until the other tab is done' : '';
  if (running) return text ? 'Enter sends it to the agent' : '';
  if (problem) return text || missingSetting.value ? problem : '';
  if (isSpec) return '';
  if (asked.value) return refused ? 'A run waits for you: answer above' : 'A run waits for you: answer above. Run ends it, and does this instead';
  if (unfinished.value || view.value.status === 'stopped') return pending.value.length ? 'Continue sends this to the agent. Run ends the stopped run' : 'This ends the interrupted run';
  return isAsked.value && !preview.value?.edited ? 'Your answer: the task continues with both texts' : '';
}

function placeholder(isSpec: boolean): string {
  if (otherTab.value) return 'This run belongs to another tab';
  if (isRunning.value) return 'Send a message to the agent';
  if (isAsked.value) return 'Your answer';
  return isSpec ? 'What do you want to build?' : 'What should change?';
}

/** What the message is parsed as. A click opens the editor in the thread. */
function Chips({ refused }: { refused: boolean }) {
  const found = preview.value;
  // Reserves the space of the chips.
  if ('step' in startup.value || (!found && message.value.trim())) return <p class="chips chip-note">{'step' in startup.value ? 'Starting …' : 'Reading your message …'}</p>;
  if (!found || editing.value || (isAsked.value && !found.edited)) return null;
  const { task, edited } = found;
  return (
    <div class="chips" aria-label="What I understood" role="group">
      {task.requirements.map(({ marker, description }, at) => (
        <button key={at} type="button" class={`chip marker-${marker.toLowerCase()}`} data-marker={marker} title={`Edit: ${marker} ${description}`} onClick={() => void edit()}><span class="marker-kind">{marker}</span> <span class="chip-text">{description}</span></button>
      ))}
      {task.type === 'needs-clarification' && !refused && <span class="chip-note tone-warn">Unclear: Run asks you what you mean</span>}
      <button type="button" class="chip edit-task" onClick={() => void edit()}>Edit the task</button>
      {edited && <span class="chip-note">{found.message === message.value ? 'edited by you' : 'The message changed after you edited the task. The edited task runs.'}</span>}
    </div>
  );
}

/** What the story has next. */
function Suggestions() {
  if (!view.value.result?.success || !isScripted.value || !messages.value.length) return null;
  return (
    <p class="suggestions">
      {messages.value.map((task) => <button key={task} type="button" class="chip" onClick={() => { propose(task); focusComposer(); }}>{task}</button>)}
    </p>
  );
}
