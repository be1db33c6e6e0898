// Accesses the origin private file system without the adapter, like another tab.

const held = [];

/** Locks a file, like another tab that writes it. */
export async function hold({ name }, path) {
  const file = await (await folderOf(name, path)).getFileHandle(lastOf(path));
  held.push(file.createSyncAccessHandle ? await file.createSyncAccessHandle() : await file.createWritable());
}

export async function release() {
  for (const handle of held.splice(0)) await handle.close();
}

/** The names in a folder. */
export async function entries({ name }, path) {
  const found = [];
  for await (const entry of (await folderOf(name, `${path}/any`)).keys()) found.push(entry);
  return found.toSorted();
}

/** Removes an entry recursively. */
export async function removeInOtherTab({ name }, path) {
  await (await folderOf(name, path)).removeEntry(lastOf(path), { recursive: true });
}

/** The folder that a path of a store is in. */
async function folderOf(store, path) {
  let folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(store);
  for (const name of path.split('/').slice(0, -1).filter(Boolean)) folder = await folder.getDirectoryHandle(name);
  return folder;
}

const lastOf = (path) => path.split('/').at(-1);
