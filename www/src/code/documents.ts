/** The files that are open in the editor, with their unsaved changes. */
import { computed, signal } from '@preact/signals';
import { edited, isChanged, opened, reloaded, type PlanDocument } from '../plan/document';
import { userFiles, userPath } from '../project/edits';
import { refreshFiles } from '../project/project';
import { exists } from '../project/storage';
import { readState, type FileState } from '../snapshots/comparison';
import { openFile, openFileAt, toast } from '../store';

export const documents = signal<ReadonlyMap<string, PlanDocument>>(new Map());

/** The paths with changes that are not in the files. */
export const unsaved = computed(() => [...documents.value].filter(([, document]) => isChanged(document)).map(([path]) => path));

export const setDocument = (path: string, document: PlanDocument): void => {
  documents.value = new Map(documents.peek()).set(path, document);
};

/** Reads a file again. Unsaved changes stay. */
export async function readDocument(path: string): Promise<FileState> {
  const state = await readState('now', path);
  if (!state || 'text' in state) {
    const text = state ? state.text : null;
    const known = documents.peek().get(path);
    setDocument(path, known ? reloaded(known, text) : opened(text));
  }
  return state;
}

export function editDocument(path: string, text: string): void {
  const known = documents.peek().get(path);
  if (known && known.text !== text) setDocument(path, edited(known, text));
}

/** Saves the editor's text, unless the file changed in the meantime. Then the user decides. */
export async function saveDocument(path: string): Promise<void> {
  await readDocument(path);
  const known = documents.peek().get(path);
  if (!known || known.theirs || !isChanged(known)) return;
  await userFiles.writeFile(path, known.text);
  // Typing may have gone on.
  setDocument(path, { saved: known.text, text: documents.peek().get(path)!.text });
  await refreshFiles();
}

/** The path that the user typed. Fails if there is such a file. */
async function freePath(text: string): Promise<string> {
  const path = userPath(text.trim());
  if (!path || text.trim().endsWith('/')) throw new Error('Enter the path of a file, such as src/Menu.tsx');
  if (await exists(path)) throw new Error(`${path} exists already`);
  return path;
}

export async function createFile(text: string): Promise<void> {
  const path = await freePath(text);
  await userFiles.writeFile(path, '');
  await refreshFiles();
  openFileAt(path, 1);
}

export async function renameFile(from: string, text: string): Promise<void> {
  const to = await freePath(text);
  await saveDocument(from);
  if (unsaved.peek().includes(from)) throw new Error(`${from} has changed, and you have unsaved changes: choose one of them first`);
  await userFiles.rename(from, to);
  forget(from);
  await refreshFiles();
  openFileAt(to, 1);
}

export async function deleteFile(path: string): Promise<void> {
  const data = await userFiles.readFile(path, undefined);
  const known = documents.peek().get(path);
  await userFiles.unlink(path);
  forget(path);
  const wasOpen = openFile.peek().path === path;
  if (wasOpen) openFile.value = { path: '' };
  await refreshFiles();
  toast.value = {
    text: `Deleted ${path}`,
    async undo() {
      await userFiles.writeFile(await freePath(path), data);
      if (known) setDocument(path, known);
      await refreshFiles();
      if (wasOpen) openFileAt(path);
    },
  };
}

function forget(path: string): void {
  const rest = new Map(documents.peek());
  rest.delete(path);
  documents.value = rest;
}
