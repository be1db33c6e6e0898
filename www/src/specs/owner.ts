/** One tab edits the drafts of specs: the first one that changes one. The others show them read only, until the user edits there. */
import { signal } from '@preact/signals';

const NAME = 'loopgate-demo:drafts';

/** Another tab edits the drafts. */
export const isEditedElsewhere = signal(false);
let isOwn = false;

export const ownsDrafts = (): boolean => isOwn || !navigator.locks;

/** Takes the drafts for this tab, until it is closed or another one takes them. `steal`: also from another tab. Returns whether this tab has them. */
export function takeDrafts(steal = false): Promise<boolean> {
  if (ownsDrafts()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      isOwn = lock !== null;
      isEditedElsewhere.value = !isOwn;
      resolve(isOwn);
      return isOwn ? new Promise<void>(() => {}) : undefined;
    };
    // Rejects when another tab takes them.
    navigator.locks.request(NAME, steal ? { steal } : { ifAvailable: true }, hold).catch(() => {
      isOwn = false;
      isEditedElsewhere.value = true;
    });
  });
}

/** Looks whether another tab edits the drafts. */
export async function lookForOwner(): Promise<void> {
  if (ownsDrafts()) return;
  const { held } = await navigator.locks.query();
  isEditedElsewhere.value = !isOwn && (held?.some(({ name }) => name === NAME) ?? false);
}
