// Types that TypeScript's DOM library lacks or declares only for workers.

/** All current browsers can move files; only Firefox can move folders. */
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

/** The longest pause between two attempts. All pauses together take about half a second. */
const LONGEST_PAUSE_MS = 256;

/**
 * Retries while another write or move holds the entry: handles are exclusive across tabs.
 */
export async function retryLocked<T>(call: () => Promise<T>): Promise<T> {
  for (let pause = 1; ; pause *= 2) {
    try {
      return await call();
    } catch (error) {
      if ((error as Error | null)?.name !== 'NoModificationAllowedError' || pause > LONGEST_PAUSE_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
