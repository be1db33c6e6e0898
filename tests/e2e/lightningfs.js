/**
 * Reads the project from LightningFS's tables in IndexedDB, without the page and its caches. Folders are maps in one superblock;
 * entry 0 of each is its stat.
 */

/** The texts of all files below `/project`, by path, without `.git` and `.loopgate`. */
export async function readProject(page) {
  const files = Object.entries(await readEverything(page)).filter(([path]) => !/^\.(git|loopgate)\//.test(path));
  return Object.fromEntries(files.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}

/** All files below `/project`, by path, with the repository. */
export async function readEverything(page) {
  const files = await page.evaluate(eachFile, null);
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, base64]) => [path, Buffer.from(base64, 'base64')]));
}

/** Overwrites the first line of each journal. */
export const damageJournals = (page) => page.evaluate(eachFile, '.loopgate/journal/');

/** In the page: reads all files, and overwrites the beginning of those below `damaged`. */
async function eachFile(damaged) {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await done(indexedDB.open('loopgate-demo'));
  const store = database.transaction('loopgate-demo_files', damaged ? 'readwrite' : 'readonly').objectStore('loopgate-demo_files');
  const superblock = await done(store.get('!root'));
  const found = [];
  const walk = (folder, path) => {
    for (const [name, entry] of folder) {
      if (name === 0) continue;
      const stat = entry.get(0);
      if (stat.type === 'dir') walk(entry, `${path}${name}/`);
      else found.push([`${path}${name}`, stat.ino]);
    }
  };
  const project = superblock?.get('/')?.get('project');
  if (project) walk(project, '');
  const contents = await Promise.all(found.map(async ([path, ino]) => {
    const data = await done(store.get(ino));
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : (data ?? new Uint8Array());
    if (damaged && path.startsWith(damaged)) await done(store.put(bytes.map((byte, at) => (at < 20 ? 120 : byte)), ino));
    return [path, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))];
  }));
  database.close();
  return contents;
}
