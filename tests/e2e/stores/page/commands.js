// The commands of a store. Contents are passed as base64.
import { snapshot } from 'loopgate';
import { opfs } from 'loopgate/opfs';
import { CASES, deviations } from '../../../fs/conformance.js';
import { DIR } from './store.js';

export * from './chunks.js';
export * from './origin.js';
export * from './runs.js';
export { snapshotCommand as snapshot, gitCommand as git };

export const conformance = async ({ kind, fs }) => ({ cases: CASES.length, found: await deviations(fs.promises, kind.replace(/-.*/, ''), DIR) });

/** Calls a method of `snapshot`; bytes are returned as base64. */
async function snapshotCommand({ host }, method, ...args) {
  const result = await snapshot[method](host, ...args);
  return result instanceof Uint8Array ? encode(result) : result;
}

/** Calls isomorphic-git directly. */
const gitCommand = ({ git, fs }, method, args) => git[method]({ fs, dir: DIR, ...args });

/** All tags, each with its problem if isomorphic-git cannot read it. */
export async function tags({ git, fs }) {
  const check = async (tag) => {
    const oid = await git.resolveRef({ fs, dir: DIR, ref: `refs/tags/${tag}` });
    if (!(await git.readCommit({ fs, dir: DIR, oid })).commit.tree) throw new Error(`${oid} has no tree`);
  };
  const look = (tag) => check(tag).then(() => ({ tag }), (error) => ({ tag, problem: `${error}` }));
  return Promise.all((await git.listTags({ fs, dir: DIR })).map(look));
}

/** The files of a tag, read by isomorphic-git. */
export async function filesOf({ git, fs }, tag) {
  const cache = {};
  const found = [];
  const read = async (oid, folder) => {
    for (const { path, oid: inner, type } of (await git.readTree({ fs, dir: DIR, oid, cache })).tree) {
      if (type === 'tree') await read(inner, `${folder}${path}/`);
      else found.push([`${folder}${path}`, encode((await git.readBlob({ fs, dir: DIR, oid: inner, cache })).blob)]);
    }
  };
  await read(await git.resolveRef({ fs, dir: DIR, ref: `refs/tags/${tag}` }), '');
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes files, by path. */
export async function put({ fs }, files) {
  for (const [path, contents] of Object.entries(files)) {
    await makeFolders(fs.promises, path);
    await fs.promises.writeFile(`${DIR}/${path}`, decode(contents));
  }
  await fs.promises.flush?.();
}

/** Writes a project in the form of {@link take}. */
export async function takeOver(store, { files, links, executable }) {
  await put(store, files);
  for (const [path, target] of Object.entries(links)) await link(store, target, path);
  for (const path of executable) await store.fs.promises.chmod?.(`${DIR}/${path}`, 0o755);
}

export async function remove({ fs }, paths) {
  for (const path of paths) await fs.promises.unlink(`${DIR}/${path}`);
}

export const readText = ({ fs }, path) => fs.promises.readFile(`${DIR}/${path}`, 'utf8');
/** Calls a method of the file system with a path in the project. */
export const call = ({ fs }, method, path, ...args) => fs.promises[method](`${DIR}/${path}`, ...args);

export const link = ({ fs }, target, path) => fs.promises.symlink(target, `${DIR}/${path}`);

export async function chmod({ fs }, path, mode) {
  await fs.promises.chmod(`${DIR}/${path}`, mode);
}

export const support = ({ fs }) => ({ chmod: 'chmod' in fs.promises, hasLinks: fs.promises.hasLinks });

/** The error of `opfs` for these handles. */
export function refusedHandles(_, handles) {
  try {
    opfs({ handles });
  } catch ({ code, message }) {
    return { code, message };
  }
}

/** The complete project, including `.git` and `.loopgate`: files with contents, links with targets. */
export async function take({ fs }) {
  const found = { files: {}, links: {}, executable: [], folders: [] };
  for (const open = ['']; open.length > 0; ) {
    const folder = open.pop();
    for (const name of await fs.promises.readdir(`${DIR}/${folder}`)) {
      const path = folder ? `${folder}/${name}` : name;
      const stat = await fs.promises.lstat(`${DIR}/${path}`);
      if (stat.isDirectory()) {
        found.folders.push(path);
        open.push(path);
      } else if (stat.isSymbolicLink()) {
        found.links[path] = await fs.promises.readlink(`${DIR}/${path}`);
      } else {
        const bytes = await fs.promises.readFile(`${DIR}/${path}`);
        // LightningFS returns undefined for a file whose write was interrupted.
        found.files[path] = bytes ? encode(bytes) : null;
        if (stat.mode & 0o100) found.executable.push(path);
      }
    }
  }
  return found;
}

async function makeFolders(fs, path) {
  const names = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= names.length; depth++) {
    await fs.mkdir([DIR, ...names.slice(0, depth)].join('/')).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

function encode(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

const decode = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
