import { property } from '../own.js';
import { FsError } from './error.js';
import { isFolder, retryLocked, type Handle, type Movable } from './handles.js';
import { isBelow, lastOf, parentOf, type Names } from './path.js';
import type { Tree } from './tree.js';

/**
 * Moves an entry as POSIX does. Browsers differ in what a move may replace (Firefox replaces a folder and its contents by a file),
 * so the target is checked first.
 */
export async function rename(tree: Tree, from: Names, to: Names, path: string): Promise<void> {
  const refuse = (code: 'EBUSY' | 'EINVAL' | 'EISDIR' | 'ENOENT' | 'ENOTDIR' | 'ENOTEMPTY') => new FsError(code, 'rename', path);
  if (from.length === 0 || to.length === 0) throw refuse('EBUSY');
  const moved = await tree.find(from);
  if (!moved) throw refuse('ENOENT');
  if (isBelow(to, from)) throw refuse('EINVAL');
  const folder = await tree.folder(parentOf(to));
  const inTheWay = await tree.find(to);
  if (from.join('/') === to.join('/')) return;
  if (inTheWay && !isFolder(moved) && isFolder(inTheWay)) throw refuse('EISDIR');
  if (inTheWay && isFolder(moved) && !isFolder(inTheWay)) throw refuse('ENOTDIR');
  if (inTheWay && isFolder(inTheWay)) {
    if (!(await isEmpty(inTheWay))) throw refuse('ENOTEMPTY');
    await folder.removeEntry(lastOf(to));
  }
  tree.forget(from);
  tree.forget(to);
  await move(moved, await tree.folder(parentOf(from)), folder, lastOf(to));
}

/** Chromium cannot move folders, so their entries are moved one by one. After a crash, each entry is in one of the two folders. */
async function move(entry: Handle, parent: FileSystemDirectoryHandle, folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  const native: Movable['move'] = property(entry, 'move');
  if (native) return retryLocked(() => native.call(entry, folder, name));
  const source = entry as FileSystemDirectoryHandle;
  const target = await folder.getDirectoryHandle(name, { create: true });
  const inner: Handle[] = [];
  for await (const handle of source.values()) inner.push(handle as Handle);
  for (const handle of inner) await move(handle, source, target, handle.name);
  await parent.removeEntry(source.name);
}

async function isEmpty(folder: FileSystemDirectoryHandle): Promise<boolean> {
  for await (const _ of folder.keys()) return false;
  return true;
}
