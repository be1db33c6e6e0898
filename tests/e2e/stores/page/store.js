// The file systems of a browser, with isomorphic-git over each.
import { Buffer } from 'buffer';
import git from 'isomorphic-git';
import init from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { opfs } from 'loopgate/opfs';

globalThis.Buffer ??= Buffer;

export const DIR = '/project';
const stores = new Map();

/** A store by its name: one object per page, over the same files in every page. `end`: a {@link Stop}. `module`: the compiled wasm. */
export function storeOf(kind, name, ending = {}) {
  const key = `${kind} ${name}`;
  if (!stores.has(key)) stores.set(key, open(kind, name, ending));
  return stores.get(key);
}

async function open(kind, name, { end, module }) {
  await init(module);
  let promises = await OPEN[kind](name);
  await promises.mkdir(DIR).catch(({ code }) => {
    if (code !== 'EEXIST') throw new Error(`cannot create ${DIR}: ${code}`);
  });
  if (end) promises = end.wrap(promises);
  const fs = { promises };
  return { kind, name, fs, git, host: { fs: promises, git: isomorphicGit({ git, fs, dir: DIR }), dir: DIR } };
}

const OPEN = {
  lightningfs: async (name) => {
    // It looks for `TextEncoder` in the window, also in a worker.
    globalThis.window ??= globalThis;
    return new (await import('@isomorphic-git/lightning-fs')).default(name).promises;
  },
  memfs: async () => (await import('memfs')).memfs().fs.promises,
  'opfs-async': async (name) => opfs({ root: await folder(name), handles: 'async' }),
  'opfs-sync': async (name) => opfs({ root: await folder(name) }),
};

async function folder(name) {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
}
