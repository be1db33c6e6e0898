/** Where the project lives: LightningFS, which keeps files in this browser's IndexedDB. */
import LightningFS from '@isomorphic-git/lightning-fs';

export const DIR = '/project';
export const storage = new LightningFS('loopgate-demo');
export const files = storage.promises;

/** The absolute path of one that is relative to the project. */
export const absolute = (path: string): string => (path ? `${DIR}/${path}` : DIR);

export const exists = (path: string): Promise<boolean> => files.stat(absolute(path)).then(() => true, () => false);
