/** The lock of the runs of the project, across tabs. */
import type { Host } from 'loopgate';

const NAME = 'loopgate-demo:run';
/** After a reload, the browser frees the lock of the old page within this time. */
const RELOAD_MS = 500;

/** Without locks, the run of a closed tab keeps the project for this time. */
const EXPIRY_MS = 30_000;

/** Absent on addresses that are not secure: there, loopgate uses a file. The name is fixed, so that a tab can wait for the lock. */
export const runLocks: Pick<Host, 'locks'> = navigator.locks
  ? { locks: { request: ((_: string, options: LockOptions, run: LockGrantedCallback<unknown>) => navigator.locks.request(NAME, options, run)) as LockManager['request'] } }
  : {};

/** Whether another tab runs. */
export async function isLocked(): Promise<boolean> {
  if (!navigator.locks || !(await isHeld())) return false;
  return lockReleased(AbortSignal.timeout(RELOAD_MS)).then(() => false, () => true);
}

/** Resolves when no tab has the lock; without locks, when it may be free. */
export async function lockReleased(signal?: AbortSignal): Promise<void> {
  if (!navigator.locks) return new Promise((resolve) => setTimeout(resolve, EXPIRY_MS));
  await navigator.locks.request(NAME, { mode: 'shared', ...(signal && { signal }) }, () => {});
}

const isHeld = async (): Promise<boolean> => (await navigator.locks.query()).held?.some(({ name }) => name === NAME) ?? false;
