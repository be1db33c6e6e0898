import { useSignal } from '@preact/signals';
import type { StructuredTask } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { isScripted, missingSetting } from '../../model/choice';
import { messageOf } from '../../snapshots/snapshots';
import { MARKERS, TYPES, withLine, withNewLine, withNewRequirement, withoutLine, withoutRequirement, withRequirement, type Requirement, type ScopeList } from '../../task/draft';
import { change, close, message, parseAgain, parseWithModel, type Preview } from '../../task/preview';
import { Icon } from '../Icon';
import { ModelProblem } from '../model/ModelButton';
import { focusComposer } from '../focus';

/** Approximate characters per row. */
const ROW = 44;
const MOST_ROWS = 4;
type Focus = (selector: string) => void;

/** All parts of the task that the message is parsed as. */
export function TaskEditor({ task, edited, message: parsed }: Preview) {
  const editor = useRef<HTMLElement>(null);
  useEffect(() => editor.current?.querySelector<HTMLElement>('.requirement-text')?.focus(), []);
  /** Moves the focus after a line was added or removed. */
  const focus: Focus = (selector) => requestAnimationFrame(() => editor.current?.querySelector<HTMLElement>(selector)?.focus());
  const leave = (way: () => Promise<void>) => () => void way().then(focusComposer);
  return (
    <section class="thread-card task-editor" aria-label="Task editor" ref={editor}>
      <h2>What I understood <span class="muted">({edited ? 'edited by you' : task.parsedBy === 'model' ? 'by the model' : 'by rules'})</span></h2>
      {edited && parsed !== message.value && <p class="tone-warn said" role="status">The message changed after you edited the task. This task runs.</p>}
      <label class="inline-field">
        Type
        <select value={task.type} onChange={(event) => change({ ...task, type: event.currentTarget.value as StructuredTask['type'] })}>
          {Object.entries(TYPES).map(([type, words]) => <option key={type} value={type}>{words}</option>)}
        </select>
      </label>
      <label class="inline-field">
        Title
        <input type="text" value={task.title} onInput={(event) => change({ ...task, title: event.currentTarget.value })} />
      </label>
      <ul aria-label="Requirements">
        {task.requirements.map((requirement, at) => <RequirementRow key={at} task={task} requirement={requirement} at={at} focus={focus} />)}
      </ul>
      <button type="button" class="small add-requirement" onClick={() => { change(withNewRequirement(task)); focus('.requirement-row:last-child .requirement-text'); }}>Add a requirement</button>
      <Lines task={task} list="preserve" title="Preserve" add="Add an item to preserve" focus={focus} />
      <Lines task={task} list="affectedFiles" title="Affected files" add="Add a file" focus={focus} />
      <div class="card-actions">
        <button type="button" class="small" onClick={leave(close)}>Close the editor</button>
        {edited && <button type="button" class="small quiet" onClick={leave(parseAgain)}>Parse the message again</button>}
        {!edited && !isScripted.value && <ParseWithModel key={parsed} />}
      </div>
    </section>
  );
}

function RequirementRow({ task, requirement: { marker, count, description }, at, focus }: { task: StructuredTask; requirement: Requirement; at: number; focus: Focus }) {
  const set = (part: Partial<Requirement>) => change(withRequirement(task, at, part));
  return (
    <li class="requirement-row">
      <select aria-label={`Marker of requirement ${at + 1}`} value={marker} onChange={(event) => set({ marker: event.currentTarget.value as Requirement['marker'] })}>
        {MARKERS.map((one) => <option key={one} value={one}>{one}</option>)}
      </select>
      <input type="number" min={1} aria-label={`Count of requirement ${at + 1}`} placeholder="count" value={count ?? ''} onInput={(event) => set({ count: event.currentTarget.valueAsNumber })} />
      <button type="button" class="quiet icon-only" aria-label={`Remove requirement ${at + 1}`} onClick={() => { change(withoutRequirement(task, at)); focus('.add-requirement'); }}><Icon name="cross" /></button>
      <textarea class="requirement-text" rows={Math.min(MOST_ROWS, Math.max(1, Math.ceil(description.length / ROW)))} aria-label={`Requirement ${at + 1}`} value={description} placeholder="What to do" onInput={(event) => set({ description: event.currentTarget.value })} />
    </li>
  );
}

function Lines({ task, list, title, add, focus }: { task: StructuredTask; list: ScopeList; title: string; add: string; focus: Focus }) {
  return (
    <fieldset class={`scope-lines ${list}`}>
      <legend>{title}</legend>
      {task.scope[list].map((text, at) => (
        <div key={at} class="scope-line">
          <input type="text" aria-label={`${title}, line ${at + 1}`} value={text} onInput={(event) => change(withLine(task, list, at, event.currentTarget.value))} />
          <button type="button" class="quiet icon-only" aria-label={`Remove line ${at + 1} of ${title.toLowerCase()}`} onClick={() => { change(withoutLine(task, list, at)); focus(`.${list} .add-line`); }}><Icon name="cross" /></button>
        </div>
      ))}
      <button type="button" class="small add-line" onClick={() => { change(withNewLine(task, list)); focus(`.${list} .scope-line:last-of-type input`); }}>{add}</button>
    </fieldset>
  );
}

function ParseWithModel() {
  const asking = useSignal<AbortController | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => () => asking.peek()?.abort(), []);
  const ask = async () => {
    const { signal } = (asking.value = new AbortController());
    problem.value = null;
    await parseWithModel(signal).catch((error) => (problem.value = signal.aborted ? null : messageOf(error)));
    asking.value = null;
  };
  return (
    <>
      {asking.value
        ? <button type="button" class="small" onClick={() => asking.value?.abort()}>Stop parsing</button>
        : <button type="button" class="small" disabled={missingSetting.value !== null} onClick={() => void ask()}>Parse with the model</button>}
      {asking.value && <span class="muted" role="status">The model parses the message …</span>}
      {problem.value && <ModelProblem text={problem.value} />}
    </>
  );
}
