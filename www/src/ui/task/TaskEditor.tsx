import type { StructuredTask } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { MARKERS, TYPES, withLine, withNewLine, withNewRequirement, withoutLine, withoutRequirement, withRequirement, type Requirement, type ScopeList } from '../../task/draft';
import { change } from '../../task/preview';
import { Icon } from '../Icon';

/** Approximate characters per row. */
const ROW = 44;
const MOST_ROWS = 4;

/** An editor for all parts of a task. Enter alone does not run it. */
export function TaskEditor({ task }: { task: StructuredTask }) {
  const editor = useRef<HTMLDivElement>(null);
  useEffect(() => editor.current?.querySelector<HTMLElement>('select')?.focus(), []);
  /** Moves the focus after a line was added or removed. */
  const focus = (selector: string) => requestAnimationFrame(() => editor.current?.querySelector<HTMLElement>(selector)?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !(event.target instanceof HTMLButtonElement)) event.preventDefault();
  };
  return (
    <div class="task-editor" role="group" aria-label="Task editor" ref={editor} onKeyDown={onKeyDown}>
      <label class="inline-field">
        Type
        <select value={task.type} onChange={(event) => change({ ...task, type: event.currentTarget.value as StructuredTask['type'] })}>
          {TYPES.map((type) => <option key={type} value={type}>{type}</option>)}
        </select>
      </label>
      <label class="inline-field">
        Title
        <input type="text" value={task.title} onInput={(event) => change({ ...task, title: event.currentTarget.value })} />
      </label>
      <ul aria-label="Requirements">
        {task.requirements.map((requirement, at) => (
          <RequirementRow
            key={at}
            requirement={requirement}
            number={at + 1}
            onChange={(part) => change(withRequirement(task, at, part))}
            onRemove={() => {
              change(withoutRequirement(task, at));
              focus('.add-requirement');
            }}
          />
        ))}
      </ul>
      <button
        type="button"
        class="small add-requirement"
        onClick={() => {
          change(withNewRequirement(task));
          focus('.requirement-row:last-child .requirement-text');
        }}
      >
        Add a requirement
      </button>
      <Lines task={task} list="preserve" title="Preserve" add="Add an item to preserve" focus={focus} />
      <Lines task={task} list="affectedFiles" title="Affected files" add="Add a file" focus={focus} />
    </div>
  );
}

interface RequirementRowProps {
  requirement: Requirement;
  number: number;
  onChange(part: Partial<Requirement>): void;
  onRemove(): void;
}

function RequirementRow({ requirement: { marker, count, description }, number, onChange, onRemove }: RequirementRowProps) {
  return (
    <li class="requirement-row">
      <select aria-label={`Marker of requirement ${number}`} value={marker} onChange={(event) => onChange({ marker: event.currentTarget.value as Requirement['marker'] })}>
        {MARKERS.map((marker) => <option key={marker} value={marker}>{marker}</option>)}
      </select>
      <input
        type="number"
        min={1}
        aria-label={`Count of requirement ${number}`}
        placeholder="count"
        value={count ?? ''}
        onInput={(event) => onChange({ count: event.currentTarget.valueAsNumber })}
      />
      <button type="button" class="quiet icon-only" aria-label={`Remove requirement ${number}`} onClick={onRemove}><Icon name="cross" /></button>
      <textarea
        class="requirement-text"
        rows={Math.min(MOST_ROWS, Math.max(1, Math.ceil(description.length / ROW)))}
        aria-label={`Requirement ${number}`}
        value={description}
        placeholder="What to do"
        onInput={(event) => onChange({ description: event.currentTarget.value })}
      />
    </li>
  );
}

interface LinesProps {
  task: StructuredTask;
  list: ScopeList;
  title: string;
  add: string;
  focus(selector: string): void;
}

function Lines({ task, list, title, add, focus }: LinesProps) {
  const name = title.toLowerCase();
  return (
    <fieldset class={`scope-lines ${list}`}>
      <legend>{title}</legend>
      {task.scope[list].map((text, at) => (
        <div key={at} class="scope-line">
          <input type="text" aria-label={`${title}, line ${at + 1}`} value={text} onInput={(event) => change(withLine(task, list, at, event.currentTarget.value))} />
          <button
            type="button"
            class="quiet icon-only"
            aria-label={`Remove line ${at + 1} of ${name}`}
            onClick={() => {
              change(withoutLine(task, list, at));
              focus(`.${list} .add-line`);
            }}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="small add-line"
        onClick={() => {
          change(withNewLine(task, list));
          focus(`.${list} .scope-line:last-of-type input`);
        }}
      >
        {add}
      </button>
    </fieldset>
  );
}
