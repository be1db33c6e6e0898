/** The lock of the project across tabs, for everything that writes it: runs, stories, resets, commands and restores. */
import type { Host } from 'loopgate';
import type { Use } from '../store';

const NAME = 'loopgate-demo:run';
/** Another tab may hold the lock for a moment, and so may the old page after a reload. Tries are counted, because a busy page is late. */
const TRIES = 10;
const PAUSE_MS = 50;

/** Without locks, the run of a closed tab keeps the project for this time. */
const EXPIRY_MS = 30_000;

/** A tab that takes the lock sends its use, because the browser does not announce it. */
const channel = new BroadcastChannel(NAME);
/** This tab holds the lock in `exclusively`. A run inside needs no second lock. */
let isOwn = false;

/** `work` gets `null` if another tab keeps the lock. */
async function take<T>(use: Use, work: (lock: Lock | null) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const done = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
      if (!lock && (tries < TRIES || !(await isHeld()))) return null;
      if (lock) channel.postMessage(use);
      return { result: await work(lock) };
    });
    if (done) return done.result;
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Runs of this tab that have the lock. A run keeps it for a moment after its last event. */
let runs = 0;

const request = (_: string, __: LockOptions, run: (lock: Lock | null) => Promise<unknown>) =>
  isOwn ? run({ name: NAME, mode: 'exclusive' }) : take('run', (lock) => {
    if (!lock) return run(lock);
    runs++;
    return run(lock).finally(() => runs--);
  });

/** Absent on addresses that are not secure: there, loopgate uses a file. The name is fixed, so that a tab can wait for the lock. */
export const runLocks: Pick<Host, 'locks'> = navigator.locks ? { locks: { request: request as LockManager['request'] } } : {};

let last: Promise<unknown> = Promise.resolve();

/** Does `work` while no other tab writes the project, and after what this one does so. Throws if another one writes it. */
export function exclusively<T>(use: Use, work: () => Promise<T>): Promise<T> {
  const hold = async (lock: Lock | null) => {
    if (!lock) throw new Error(`The project is in use ${runs ? 'by a run of this tab' : 'in another tab'}. Nothing was changed. Try again when that is done.`);
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
  if (!navigator.locks) return false;
  for (let tries = 1; await isHeld(); tries++) {
    if (tries === TRIES) return true;
    await pause();
  }
  return false;
}

/** Resolves when no tab has the lock; without locks, when it may be free. */
export async function lockReleased(): Promise<void> {
  if (!navigator.locks) return new Promise((resolve) => setTimeout(resolve, EXPIRY_MS));
  await navigator.locks.request(NAME, { mode: 'shared' }, () => {});
}

/** A tab that waits for the end of another one gets a shared lock for a moment, which does not count. */
const isHeld = async (): Promise<boolean> => (await navigator.locks.query()).held?.some(({ name, mode }) => name === NAME && mode === 'exclusive') ?? false;
