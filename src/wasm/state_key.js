// The default key of the harness's state. It is not in the project: in Node.js it is a file of the user, in a browser it is in the
// IndexedDB of the origin. Where neither can be kept, the key ends with the page.

import { property } from './page.js';

const BYTES = 32;

/** IndexedDB may never answer. */
const LIMIT_MS = 5_000;

let loading;

/** The key, read or made once. */
export function defaultKey() {
  return (loading ??= kept().catch(() => random()));
}

async function kept() {
  const builtin = property(globalThis.process, 'getBuiltinModule');
  if (builtin) return ofUser((name) => builtin(name));
  const databases = property(globalThis, 'indexedDB');
  return databases ? ofOrigin(databases) : random();
}

function random() {
  return crypto.getRandomValues(new Uint8Array(BYTES));
}

/** In Node.js: `loopgate/state-key` in the folder where programs keep the state of the user. */
function ofUser(builtin) {
  const fs = builtin('node:fs');
  const path = builtin('node:path');
  const { env, platform, pid } = globalThis.process;
  const own = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_STATE_HOME;
  const states = own && path.isAbsolute(own) ? own : path.join(builtin('node:os').homedir(), '.local', 'state');
  const folder = path.join(states, 'loopgate');
  const file = path.join(folder, 'state-key');
  if (!fs.existsSync(file)) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Complete when it appears, and never replaced: another process may make it at the same time.
    const beside = `${file}.${pid}`;
    fs.writeFileSync(beside, random(), { mode: 0o600, flag: 'wx' });
    try {
      fs.linkSync(beside, file);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      fs.unlinkSync(beside);
    }
  }
  const key = fs.readFileSync(file);
  if (key.length !== BYTES) throw new Error(`${file} is damaged`);
  return new Uint8Array(key);
}

/** In a browser: the database `loopgate`. One transaction, so that tabs which make it at the same time agree. */
function ofOrigin(databases) {
  return new Promise((resolve, reject) => {
    setTimeout(reject, LIMIT_MS);
    const opening = databases.open('loopgate', 1);
    opening.onerror = opening.onblocked = reject;
    opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
    opening.onsuccess = () => {
      const database = opening.result;
      const work = database.transaction('keys', 'readwrite', { __proto__: null, durability: 'strict' });
      const keys = work.objectStore('keys');
      const found = keys.get('state');
      let key;
      found.onsuccess = () => {
        key = found.result ?? random();
        if (!found.result) keys.put(key, 'state');
      };
      work.oncomplete = () => {
        database.close();
        resolve(key);
      };
      work.onabort = work.onerror = reject;
    };
  });
}
