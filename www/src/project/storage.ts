/** The project's file system: LightningFS, which stores files in IndexedDB. */
import LightningFS from '@isomorphic-git/lightning-fs';

export const DIR = '/project';
export const storage = new LightningFS('loopgate-demo');
export const files = storage.promises;

/** `path` is relative to the project. */
export const absolute = (path: string): string => (path ? `${DIR}/${path}` : DIR);

export const exists = (path: string): Promise<boolean> => files.stat(absolute(path)).then(() => true, () => false);

/** Writes a file and creates its folders. */
export async function writeText(path: string, text: string): Promise<void> {
  const folders = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= folders.length; depth++) {
    await files.mkdir(absolute(folders.slice(0, depth).join('/'))).catch(ignoreExisting);
  }
  await files.writeFile(absolute(path), text);
}

function ignoreExisting(error: { code?: string }): void {
  if (error.code !== 'EEXIST') throw error;
}
