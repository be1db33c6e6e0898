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
  await makeFolders(path.split('/').slice(0, -1).join('/'));
  await files.writeFile(absolute(path), text);
}

/** Creates a folder and its parents. */
export async function makeFolders(path: string): Promise<void> {
  const names = path.split('/').filter(Boolean);
  for (let depth = 1; depth <= names.length; depth++) {
    const folder = names.slice(0, depth).join('/');
    await files.mkdir(absolute(folder)).catch(async (error: { code?: string }) => {
      if (error.code !== 'EEXIST') throw error;
      if (!(await files.stat(absolute(folder))).isDirectory()) throw new Error(`${folder} is a file, not a folder`);
    });
  }
}
