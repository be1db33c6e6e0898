/** The lock of the project across tabs, for everything that writes it: runs, stories, resets, commands and restores. */
import type { Host } from 'loopgate';
import type { Use } from '../store';

const NAME = 'loopgate-demo:run';
/** After a reload, the browser frees the lock of the old page within this time. */
const RELOAD_MS = 500;
const TAKE_MS = 300;

/** Without locks, the run of a closed tab keeps the project for this time. */
const EXPIRY_MS = 30_000;

/** A tab that takes the lock sends its use, because the browser does not announce it. */
const channel = new BroadcastChannel(NAME);
/** This tab holds the lock in `exclusively`. A run inside needs no second lock. */
let isOwn = false;

/** Requests the lock for up to `TAKE_MS`. `work` gets `null` if another tab keeps it. */
async function take<T>(use: Use, work: (lock: Lock | null) => Promise<T>): Promise<T> {
  let isTaken = false;
  const hold = (lock: Lock | null) => {
    isTaken = true;
    channel.postMessage(use);
    return work(lock);
  };
  return navigator.locks.request(NAME, { signal: AbortSignal.timeout(TAKE_MS) }, hold).catch((error) => {
    if (isTaken) throw error;
    return work(null);
  }) as Promise<T>;
}

const request = (_: string, __: LockOptions, run: (lock: Lock | null) => Promise<unknown>) => (isOwn ? run({ name: NAME, mode: 'exclusive' }) : take('run', run));

/** Absent on addresses that are not secure: there, loopgate uses a file. The name is fixed, so that a tab can wait for the lock. */
export const runLocks: Pick<Host, 'locks'> = navigator.locks ? { locks: { request: request as LockManager['request'] } } : {};

let last: Promise<unknown> = Promise.resolve();

/** Does `work` while no other tab writes the project, and after what this one does so. Throws if another one writes it. */
export function exclusively<T>(use: Use, work: () => Promise<T>): Promise<T> {
  const hold = async (lock: Lock | null) => {
    if (!lock) throw new Error('The project is in use in another tab. Nothing was changed. Try again when that tab is done.');
    isOwn = true;
    return work().finally(() => (isOwn = false));
  };
  const next = last.then(() => (navigator.locks ? take(use, hold) : work()));
  last = next.catch(() => {});
  return next;
}

/** Resolves when the work in `exclusively` is done. A run that starts earlier has no lock of its own. */
export const written = (): Promise<unknown> => last;

/** Calls `listener` when another tab takes the lock. */
export function onTaken(listener: (use: Use) => void): void {
  channel.onmessage = ({ data }) => listener(data);
}

/** Whether another tab has the lock. */
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
