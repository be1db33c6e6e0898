/** What a screen reader hears without being asked. */
import { signal } from '@preact/signals';

export const announcement = signal('');

export function announce(text: string): void {
  announcement.value = text;
}
