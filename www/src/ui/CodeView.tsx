import { computed, useComputed, useSignal } from '@preact/signals';
import { isWorkFile } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import type { Editor as CodeEditor } from '../code/editor';
import { createFile, deleteFile, documents, editDocument, readDocument, renameFile, saveDocument } from '../code/documents';
import { isChanged, PLAN } from '../plan/document';
import { tree, revision } from '../project/project';
import { filePaths, type TreeNode } from '../project/tree';
import { startingStory } from '../run/begin';
import { bytes } from '../run/describe';
import { readState, type FileState } from '../snapshots/comparison';
import { changed, history, messageOf } from '../snapshots/snapshots';
import { openFile, openFileAt, otherTab, showPlanSource, type OpenFile } from '../store';
import { Conflict } from './Conflict';
import { Icon } from './Icon';

type Form = 'new' | 'rename' | null;

/** Another tab writes the project, or another project takes its place. */
const isTaken = computed(() => otherTab.value !== null || startingStory.value !== null);

export function CodeView() {
  const form = useSignal<Form>(null);
  const open = openFile.value;
  const key = `${open.version ?? ''}:${open.path}:${open.lines?.join() ?? ''}`;
  return (
    <div class="code-view">
      <nav class="code-tree" id="code-tree" popover="auto" aria-label="Files">
        <div class="view-bar"><strong>Files</strong><button type="button" class="quiet small" disabled={isTaken.value} onClick={() => (form.value = 'new')}>New file</button></div>
        <Tree />
      </nav>
      <div class="code-main">
        {form.value && <PathForm key={form.value === 'rename' ? open.path : 'new'} form={form.value} path={open.path} onClose={() => (form.value = null)} />}
        {open.path ? <File key={key} open={open} onRename={() => (form.value = 'rename')} /> : <><div class="view-bar"><TreeButton name="Files" /></div><p class="empty">Choose a file.</p></>}
      </div>
    </div>
  );
}

/** Opens the tree where it is no column. */
const TreeButton = ({ name }: { name: string }) => <button type="button" class="quiet tree-button" popovertarget="code-tree"><Icon name="file" /><span class="file-name">{name}</span></button>;

/** A file that can be edited, or one of a snapshot. */
function File({ open, onRename }: { open: OpenFile; onRename(): void }) {
  const { path, version } = open;
  const state = useSignal<FileState | 'loading'>('loading');
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    let isOpen = true;
    const reading = version ? readState({ tag: version }, path) : readDocument(path);
    reading.then((read) => isOpen && ([state.value, problem.value] = [read, null]), (error) => (problem.value = messageOf(error)));
    return () => void (isOpen = false);
  }, [path, version, revision.value]);

  const act = (action: () => Promise<void>) => () => void action().then(() => (problem.value = null), (error) => (problem.value = messageOf(error)));
  const now = state.value;
  const document = version ? undefined : documents.value.get(path);
  const isLocked = version !== undefined || isWorkFile(path) || isTaken.value;
  const text = version ? (now && now !== 'loading' && 'text' in now ? now.text : null) : (document?.text ?? null);
  const isGone = now === null && !(document && isChanged(document));
  return (
    <>
      <div class="view-bar">
        <TreeButton name={path} />
        <code class="file-name">{path}</code>
        {document && isChanged(document) && <span class="muted" role="status">not saved</span>}
        <span class="bar-end">
          {version ? <><span class="muted">as in {history.value.versions.find(({ tag, before }) => tag === version || before === version)?.title ?? 'an earlier attempt'}</span><button type="button" class="small" onClick={() => openFileAt(path)}>Open the present file</button></> : isLocked ? <span class="muted">read only</span> : !isGone && now !== 'loading' && (
            <>
              <button type="button" class="quiet small" onClick={onRename}>Rename</button>
              <button type="button" class="quiet small" onClick={act(() => deleteFile(path))}>Delete</button>
              <button type="button" class="small" aria-keyshortcuts="Control+S" disabled={!document || !isChanged(document) || document.theirs !== undefined} onClick={act(() => saveDocument(path))}>Save</button>
            </>
          )}
        </span>
      </div>
      {problem.value && <p class="problem code-note" role="alert">{problem.value}</p>}
      {!version && <Conflict path={path} />}
      {now === 'loading' ? <p class="empty">Loading {path} …</p>
        : isGone ? <p class="empty"><code>{path}</code> {version ? 'is not in this version.' : 'was deleted.'}</p>
          : now && 'bytes' in now ? <p class="empty">Binary file, {bytes(now.bytes)}</p>
            : text !== null && <Editor open={open} text={text} readOnly={isLocked} onSave={act(() => saveDocument(path))} />}
    </>
  );
}

function Editor({ open, text, readOnly, onSave }: { open: OpenFile; text: string; readOnly: boolean; onSave(): void }) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useSignal<CodeEditor | null>(null);
  useEffect(() => {
    let isOpen = true;
    void import('../code/editor').then(async ({ openEditor }) => {
      const created = await openEditor(place.current!, { ...open, text, readOnly, onEdit: (text) => !open.version && editDocument(open.path, text), onSave });
      if (isOpen) editor.value = created;
      else created.view.destroy();
    });
    return () => {
      isOpen = false;
      editor.peek()?.view.destroy();
    };
  }, []);
  // The text of the render is old if the user has typed since.
  useEffect(() => editor.value?.show(open.version ? text : (documents.peek().get(open.path)?.text ?? text)), [text, editor.value]);
  useEffect(() => editor.value?.setReadOnly(readOnly), [readOnly, editor.value]);
  // Another click on the same place goes there again.
  useEffect(() => void (open.lines && editor.value?.goTo(open.lines[0])), [open]);
  return <div class="code-editor" ref={place} />;
}

function PathForm({ form, path, onClose }: { form: 'new' | 'rename'; path: string; onClose(): void }) {
  const text = useSignal(form === 'new' ? 'src/' : path);
  const problem = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [form]);
  const submit = (event: Event) => {
    event.preventDefault();
    (form === 'new' ? createFile(text.value) : renameFile(path, text.value)).then(onClose, (error) => (problem.value = messageOf(error)));
  };
  return (
    <form class="view-bar path-form" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <label for="path-field">{form === 'new' ? 'New file' : 'New path'}</label>
      <input id="path-field" ref={input} value={text.value} spellcheck={false} autocapitalize="off" aria-invalid={!!problem.value} aria-describedby="path-problem" onInput={(event) => (text.value = event.currentTarget.value)} />
      <button type="submit" class="small">{form === 'new' ? 'Create' : 'Rename'}</button>
      <button type="button" class="quiet small" onClick={onClose}>Cancel</button>
      {problem.value && <span id="path-problem" class="problem" role="alert">{problem.value}</span>}
    </form>
  );
}

/** The project's files, and loopgate's in one folded group. The arrow keys move between the rows. */
function Tree() {
  const harness = useComputed(() => filePaths(tree.value).filter(isWorkFile));
  const own = useComputed(() => withoutHarness(tree.value));
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('summary, .file')].filter((row) => row.checkVisibility());
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const folder = rows[at]?.closest('summary')?.parentElement as HTMLDetailsElement | undefined;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next !== undefined) rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus();
    else if (folder && event.key === 'ArrowRight') folder.open = true;
    else if (event.key === 'ArrowLeft' && folder?.open) folder.open = false;
    else if (event.key === 'ArrowLeft') rows[at]?.closest('ul')?.closest('details')?.querySelector('summary')?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div class="tree" onKeyDown={onKeyDown}>
      {tree.value.length === 0 ? <p class="empty">Opening the project …</p> : <Branch nodes={own.value} />}
      {harness.value.length > 0 && (
        <details class="harness-files">
          <summary class="muted"><Icon name="chevron" />loopgate’s files ({harness.value.length})</summary>
          <ul>{harness.value.map((path) => <li key={path}><FileRow path={path} name={path} /></li>)}</ul>
        </details>
      )}
    </div>
  );
}

function Branch({ nodes }: { nodes: TreeNode[] }) {
  return (
    <ul>
      {nodes.map(({ name, path, children }) => (
        <li key={path}>{children ? <details open data-path={path}><summary><Icon name="chevron" />{name}</summary><Branch nodes={children} /></details> : <FileRow path={path} name={name} />}</li>
      ))}
    </ul>
  );
}

const MARKS = { added: ['A', 'created', 'new'], modified: ['M', 'modified', 'modified'], deleted: ['D', 'deleted', 'deleted'], renamed: ['R', 'modified', 'renamed'] } as const;

function FileRow({ path, name }: { path: string; name: string }) {
  const change = changed.value.project.find((each) => each.path === path)?.change;
  const open = () => {
    document.querySelector<HTMLElement>('#code-tree:popover-open')?.hidePopover();
    // The plan has an editor of its own.
    if (path === PLAN) showPlanSource();
    else openFileAt(path);
  };
  return (
    <button type="button" class="file" data-path={path} aria-current={openFile.value.path === path} onClick={open}>
      <span class="file-name">{name}</span>
      {change && <span class={`mark mark-${MARKS[change][1]}`} title={MARKS[change][2]}><span aria-hidden="true">{MARKS[change][0]}</span><span class="visually-hidden">, {MARKS[change][2]}</span></span>}
    </button>
  );
}

const withoutHarness = (nodes: TreeNode[]): TreeNode[] => nodes.flatMap((node) => {
  if (isWorkFile(node.path)) return [];
  if (!node.children) return [node];
  const children = withoutHarness(node.children);
  return children.length || !node.children.length ? [{ ...node, children }] : [];
});
