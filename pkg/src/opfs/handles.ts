// What the declarations of TypeScript's DOM library leave out, or have for workers alone.

/** All current browsers move files; Firefox moves folders as well. */
export interface Movable {
  move?(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

export interface SyncAccessHandle {
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}

export interface SyncFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>;
}

export type Handle = FileSystemFileHandle | FileSystemDirectoryHandle;

export const isFolder = (handle: Handle): handle is FileSystemDirectoryHandle => handle.kind === 'directory';

/** Longest pause between two tries, in milliseconds. All of them together take about half a second. */
const LONGEST_PAUSE_MS = 256;

/**
 * Calls until nobody else holds the entry. Handles are exclusive for as long as a write or a move takes, in all tabs.
 */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let pause = 1; ; pause *= 2) {
    try {
      return await call();
    } catch (error) {
      if ((error as Error | null)?.name !== 'NoModificationAllowedError' || pause > LONGEST_PAUSE_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
