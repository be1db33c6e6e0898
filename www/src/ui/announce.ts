/** Announcements for screen readers. */
import { signal } from '@preact/signals';

export const announcement = signal('');

/** A repeated text gets a trailing space, because screen readers only announce changes. */
export function announce(text: string): void {
  announcement.value = text === announcement.peek() ? `${text}\u00a0` : text;
}
