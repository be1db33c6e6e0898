/** What a screen reader hears without being asked. */
import { signal } from '@preact/signals';

export const announcement = signal('');

/** The same text again is heard again: a space that is not seen makes it another one. */
export function announce(text: string): void {
  announcement.value = text === announcement.peek() ? `${text}\u00a0` : text;
}
