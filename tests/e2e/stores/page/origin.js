// The origin private file system past the adapter, as another tab has it.

const held = [];

/** Holds a file, as another tab that writes it does. */
export async function hold({ name }, path) {
  const file = await (await folderOf(name, path)).getFileHandle(lastOf(path));
  held.push(file.createSyncAccessHandle ? await file.createSyncAccessHandle() : await file.createWritable());
}

export async function release() {
  for (const handle of held.splice(0)) await handle.close();
}

/** What really is in a folder. */
export async function entries({ name }, path) {
  const found = [];
  for await (const entry of (await folderOf(name, `${path}/any`)).keys()) found.push(entry);
  return found.toSorted();
}

/** Removes an entry with all that is in it. */
export async function removeBehind({ name }, path) {
  await (await folderOf(name, path)).removeEntry(lastOf(path), { recursive: true });
}

/** The folder that a path of a store is in. */
async function folderOf(store, path) {
  let folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(store);
  for (const name of path.split('/').slice(0, -1).filter(Boolean)) folder = await folder.getDirectoryHandle(name);
  return folder;
}

const lastOf = (path) => path.split('/').at(-1);
