// The file systems of a browser, with isomorphic-git over each.
import { Buffer } from 'buffer';
import git from 'isomorphic-git';
import init from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { opfs } from 'loopgate/opfs';

globalThis.Buffer ??= Buffer;

export const DIR = '/project';
const stores = new Map();

/** A store by its name: one object per page, over the same files in every page. */
export function storeOf(kind, name) {
  const key = `${kind} ${name}`;
  if (!stores.has(key)) stores.set(key, open(kind, name));
  return stores.get(key);
}

async function open(kind, name) {
  await init();
  const promises = await OPEN[kind](name);
  const fs = { promises };
  await promises.mkdir(DIR).catch(({ code }) => {
    if (code !== 'EEXIST') throw new Error(`cannot create ${DIR}: ${code}`);
  });
  return { kind, name, fs, git, host: { fs: promises, git: isomorphicGit({ git, fs, dir: DIR }), dir: DIR } };
}

const OPEN = {
  lightningfs: async (name) => new (await import('@isomorphic-git/lightning-fs')).default(name).promises,
  memfs: async () => (await import('memfs')).memfs().fs.promises,
  'opfs-async': async (name) => opfs({ root: await folder(name), handles: 'async' }),
  'opfs-sync': async (name) => opfs({ root: await folder(name) }),
};

async function folder(name) {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
}
