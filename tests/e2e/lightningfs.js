/**
 * Reads the project from LightningFS's tables in IndexedDB, without the page and its caches. Folders are maps in one superblock;
 * entry 0 of each is its stat.
 */

/** All files below `/project`, by path, without `.git` and `.loopgate`. */
export async function readProject(page) {
  const files = await page.evaluate(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await done(indexedDB.open('loopgate-demo'));
    const store = database.transaction('loopgate-demo_files').objectStore('loopgate-demo_files');
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
    const own = found.filter(([path]) => !/^\.(git|loopgate)\//.test(path));
    const texts = await Promise.all(own.map(async ([path, ino]) => {
      const data = await done(store.get(ino));
      return [path, typeof data === 'string' ? data : new TextDecoder().decode(data ?? new Uint8Array())];
    }));
    database.close();
    return texts;
  });
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}
