import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { revision } from '../project/project';
import { bytes, count } from '../run/describe';
import { isRunning } from '../run/session';
import { bothStates, type FileState } from '../snapshots/comparison';
import type { LineCount } from '../snapshots/difference';
import { base, changed, type Changed, chosenBase, history, messageOf, refreshChanges, taskBase, undoFiles } from '../snapshots/snapshots';
import { backupTitle } from '../snapshots/versions';
import { openFileAt, tab } from '../store';

/** Longer texts are not compared, because that would block the page. */
const LONGEST = 500_000;
/** Side by side from this width on. */
const SPLIT = 720;

const MARKS = { added: ['A', 'created'], modified: ['M', 'modified'], deleted: ['D', 'deleted'], renamed: ['R', 'modified'] } as const;

/** The files that differ from before the task, or from a version, and the difference of the chosen one. */
export function ChangesView() {
  const chosen = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  const lines = useSignal<ReadonlyMap<string, LineCount>>(new Map());
  const busy = useSignal(false);
  const isOpen = tab.value === 'changes';
  const from = base.value;
  const { project, harness } = changed.value;
  useEffect(() => {
    if (isOpen) refreshChanges().catch((error) => (problem.value = messageOf(error)));
  }, [isOpen, from, revision.value]);
  useEffect(() => {
    let current = true;
    if (isOpen && from) void countAll(project, from).then((counts) => current && (lines.value = counts));
    return () => void (current = false);
  }, [isOpen, project]);

  if (!from) return <p class="empty">Nothing has changed yet. A task shows its changes here.</p>;
  const shown = [...project, ...harness].find(({ path }) => path === chosen.value) ?? project[0];
  const isLocked = busy.value || isRunning.value;
  // A second click would undo nothing, and its way back would be nothing, too.
  const undo = async (changes: Changed[]) => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = await undoFiles(changes).then(() => null, messageOf);
    busy.value = false;
  };
  const total = [...lines.value.values()].reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), { added: 0, removed: 0 });
  const row = (change: Changed) => {
    const [letter, kind] = MARKS[change.change];
    return (
      <li key={change.path}>
        <button type="button" class="file" data-path={change.path} aria-current={change === shown} onClick={() => (chosen.value = change.path)}>
          <span class={`mark mark-${kind}`} title={change.change}><span aria-hidden="true">{letter}</span><span class="visually-hidden">{change.change} </span></span>
          <span class="file-name" title={change.from ? `${change.from} → ${change.path}` : change.path}>{change.path.split('/').at(-1)} <span class="muted">{change.path.split('/').slice(0, -1).join('/')}</span></span>
          {change.by && change.by !== 'agent' && <span class="pill tone-active">{change.by === 'user' ? 'you' : 'you and agent'}</span>}
          <Lines {...lines.value.get(change.path)} />
        </button>
      </li>
    );
  };
  return (
    <div class="changes-view">
      <div class="view-bar">
        <span role="status"><strong>{count(project.length, 'file')}</strong> <Lines {...total} /></span>
        <label class="bar-end">since <select value={from} onChange={(event) => (chosenBase.value = event.currentTarget.value === taskBase.value ? null : event.currentTarget.value)}><Bases chosen={from} /></select></label>
      </div>
      {problem.value && <p class="problem code-note" role="alert">{problem.value}</p>}
      {!shown ? <p class="empty">The files are as they were.</p> : (
        <div class="comparison">
          <nav class="change-list" aria-label="Changed files">
            <ul>{project.map(row)}</ul>
            {harness.length > 0 && <details class="harness-files"><summary class="muted">{count(harness.length, 'file')} of loopgate</summary><ul>{harness.map(row)}</ul></details>}
            {project.length > 0 && <button type="button" class="small danger" disabled={isLocked} onClick={() => void undo(project)}>Undo all</button>}
          </nav>
          <Difference key={`${from}:${shown.path}`} change={shown} tag={from} actions={project.includes(shown) && (
            <>
              {shown.change !== 'deleted' && <button type="button" class="quiet small" onClick={() => openFileAt(shown.path)}>Edit</button>}
              <button type="button" class="small" disabled={isLocked} onClick={() => void undo([shown])}>Undo this file</button>
            </>
          )} />
        </div>
      )}
    </div>
  );
}

/** The starts of comparisons: before the last task, the chosen backup, the versions. */
function Bases({ chosen }: { chosen: string }) {
  const { versions, backups } = history.value;
  const backup = chosen !== taskBase.value && backups.find(({ tag }) => tag === chosen);
  return (
    <>
      {taskBase.value && <option value={taskBase.value}>before this task</option>}
      {backup && <option value={backup.tag}>{backupTitle(backup, versions)}</option>}
      {versions.map(({ number, title, tag }) => tag && tag !== taskBase.value && <option key={tag} value={tag}>{number ? `version ${number} · ` : ''}{title}</option>)}
    </>
  );
}

function Lines({ added = 0, removed = 0 }: Partial<LineCount>) {
  if (!added && !removed) return null;
  return <span class="line-count">{added > 0 && <span class="mark-created">+{added}</span>} {removed > 0 && <span class="mark-deleted">−{removed}</span>}</span>;
}

/** One file before and now. */
function Difference({ change, tag, actions }: { change: Changed; tag: string; actions: preact.ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const note = useSignal<string | null>('Loading …');
  const isSplit = useSignal<boolean | null>(null);
  useEffect(() => {
    isSplit.value ??= place.current!.clientWidth >= SPLIT;
    let current = true;
    let remove = () => {};
    const show = async () => {
      const { before, after } = await bothStates(change, tag);
      note.value = noteFor(before, after);
      if (note.value) return;
      const { showDifference } = await import('../snapshots/difference');
      if (!current) return;
      remove = await showDifference(place.current!, change.path, textOf(before), textOf(after), { before: `${change.path}, before`, after: `${change.path}, now` }, isSplit.value!);
      if (!current) remove();
    };
    show().catch((error) => (note.value = messageOf(error)));
    return () => {
      current = false;
      remove();
    };
  }, [isSplit.value, revision.value]);
  return (
    <section class="file-change" aria-label={`What changed in ${change.path}`}>
      <div class="view-bar">
        <code class="file-name">{change.path}</code>
        <span class="bar-end">
          <button type="button" class="quiet small" aria-pressed={isSplit.value === true} onClick={() => (isSplit.value = !isSplit.value)}>Side by side</button>
          {actions}
        </span>
      </div>
      {note.value && <p class="empty" role="status">{note.value}</p>}
      <div ref={place} class="file-change-body" />
    </section>
  );
}

/** The note for files whose texts are not shown, or null. */
function noteFor(before: FileState, after: FileState): string | null {
  const sizes = [before, after].map((state) => (state ? bytes('text' in state ? state.text.length : state.bytes) : 'nothing'));
  if ([before, after].some((state) => state && 'bytes' in state)) return `Binary file: ${sizes[0]} before, ${sizes[1]} now`;
  if ([before, after].some((state) => textOf(state).length > LONGEST)) return `Too long to compare: ${sizes[0]} before, ${sizes[1]} now`;
  return textOf(before) === '' && textOf(after) === '' ? 'Empty file' : null;
}

async function countAll(changes: Changed[], tag: string): Promise<Map<string, LineCount>> {
  const { countLines } = await import('../snapshots/difference');
  const counted = await Promise.all(changes.map(async (change) => {
    const { before, after } = await bothStates(change, tag);
    return noteFor(before, after) ? null : ([change.path, countLines(textOf(before), textOf(after))] as const);
  }));
  return new Map(counted.filter((each) => each !== null));
}

const textOf = (state: FileState): string => (state && 'text' in state ? state.text : '');
