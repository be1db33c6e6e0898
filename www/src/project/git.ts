/** isomorphic-git, loaded with its first call: the page is shown before. */
type Git = typeof import('isomorphic-git');

const NAMES = ['add', 'commit', 'currentBranch', 'deleteRef', 'getConfig', 'indexPack', 'init', 'listTags', 'readBlob', 'readCommit', 'readObject', 'readTree', 'resolveRef', 'writeBlob', 'writeCommit', 'writeRef', 'writeTree'] as const;

let loaded: Promise<Git> | undefined;

async function load(): Promise<Git> {
  const { Buffer } = await import('buffer');
  // isomorphic-git expects the one of Node.js.
  Object.assign(globalThis, { Buffer });
  return import('isomorphic-git');
}

const functions = NAMES.map((name) => {
  const call = async (args: never): Promise<unknown> => ((await (loaded ??= load()))[name] as (args: never) => unknown)(args);
  return [name, call] as const;
});

export const git = Object.fromEntries(functions) as unknown as Pick<Git, (typeof NAMES)[number]>;
