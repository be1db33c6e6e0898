// What the tests take from JavaScript: the real LightningFS and isomorphic-git, from npm.

/** A new, empty LightningFS. */
export async function lightningFs() {
  await script('/node_modules/@isomorphic-git/lightning-fs/dist/lightning-fs.min.js');
  return new globalThis.LightningFS(newName());
}

/** LightningFS again, over the same storage, as a reloaded page sees it once the first has let go of it. */
export function reopened(fs) {
  return new globalThis.LightningFS(fs.promises._backend._name);
}

/** The package's `GitPort` over isomorphic-git. */
export async function gitPort(fs, dir) {
  // isomorphic-git needs Node's `Buffer`; an IDE's bundler provides it, here it is loaded.
  globalThis.Buffer ??= (await commonJs('buffer')).Buffer;
  await script('/node_modules/isomorphic-git/index.umd.min.js');
  const { isomorphicGit } = await module('/pkg/dist/git.js');
  const cache = {};
  caches.set(fs, cache);
  return isomorphicGit({ git: globalThis.git, fs, dir, cache });
}

/** The same port without the methods that are optional. */
export function plainPort(port) {
  const optional = ['readObject', 'writeObjects', 'writePack', 'writeHead', 'readIndex', 'writeIndex', 'user'];
  return { ...port, ...Object.fromEntries(optional.map((name) => [name, undefined])) };
}

/** The files whose status is not "unchanged" for isomorphic-git, with the cache of the port or without one. */
export async function gitStatus(fs, dir, isCached) {
  const rows = await globalThis.git.statusMatrix({ fs, dir, cache: isCached ? caches.get(fs) : {} });
  return JSON.stringify(rows.filter(([, ...states]) => states.join() !== '1,1,1').map(([path]) => path));
}

/** The cache of the port by its file system. */
const caches = new WeakMap();

/** What isomorphic-git itself says of the repository, to hold against the port's word. */
export async function gitLog(fs, dir, ref) {
  const [{ oid, commit }] = await globalThis.git.log({ fs, dir, ref });
  return JSON.stringify({ oid, ...commit });
}

/** An annotated tag, which nothing of ours writes. */
export async function annotatedTag(fs, dir, ref, object) {
  const tagger = { name: 'A', email: 'a@example.com', timestamp: 0, timezoneOffset: 0 };
  await globalThis.git.annotatedTag({ fs, dir, ref, object, tagger, message: 'annotated' });
}

/** While `work` runs, a timer of ten seconds or more is over at once: limits are tested without waiting for them. */
export async function withHastyTimers(work) {
  const setTimeout = globalThis.setTimeout;
  globalThis.setTimeout = (callback, ms, ...rest) => setTimeout(callback, ms >= 10_000 ? 0 : ms, ...rest);
  try {
    return await work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

const loaded = new Map();

function script(url) {
  if (!loaded.has(url)) loaded.set(url, load(url));
  return loaded.get(url);
}

async function load(url) {
  // A module would not define the global that these bundles set.
  (0, eval)(await text(url));
}

async function text(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} is missing: run npm ci`);
  return answer.text();
}

/** A CommonJS package of a single file, after the packages that it requires. */
async function commonJs(name) {
  const source = await text(`/node_modules/${name}/index.js`);
  const required = new Map();
  for (const [, other] of source.matchAll(/\brequire\('([^']+)'\)/g)) required.set(other, await commonJs(other));
  const module = { exports: {} };
  new Function('module', 'exports', 'require', source)(module, module.exports, (other) => required.get(other));
  return module.exports;
}

async function module(url) {
  try {
    return await import(url);
  } catch {
    throw new Error(`${url} is missing: run npm run build -w loopgate`);
  }
}

function newName() {
  return `loopgate-test-${Math.random().toString(36).slice(2)}`;
}
