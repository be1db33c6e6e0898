// Copies what LightningFS has in IndexedDB, while no page and no worker has it open.

const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function open(name) {
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => opening.result.createObjectStore(`${name}_files`);
  return settled(opening);
}

export async function copyStore(from, to) {
  const [source, target] = await Promise.all([open(from), open(to)]);
  const files = source.transaction(`${from}_files`).objectStore(`${from}_files`);
  const [keys, values] = await Promise.all([settled(files.getAllKeys()), settled(files.getAll())]);
  const writing = target.transaction(`${to}_files`, 'readwrite');
  for (const [at, key] of keys.entries()) writing.objectStore(`${to}_files`).put(values[at], key);
  await new Promise((resolve, reject) => Object.assign(writing, { oncomplete: resolve, onerror: () => reject(writing.error) }));
  for (const database of [source, target]) database.close();
}
