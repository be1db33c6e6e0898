/** The project's file system: LightningFS, which stores files in IndexedDB. */
import LightningFS from '@isomorphic-git/lightning-fs';

export const DIR = '/project';
export const storage = new LightningFS('loopgate-demo');
export const files = storage.promises;

/** `path` is relative to the project. */
export const absolute = (path: string): string => (path ? `${DIR}/${path}` : DIR);

export const exists = (path: string): Promise<boolean> => files.stat(absolute(path)).then(() => true, () => false);
