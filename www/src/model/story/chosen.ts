/** The chosen story. It is stored, because after a reload the project may be in the middle of it. */
import { signal } from '@preact/signals';
import { LANDING, STORIES, type Story } from './stories';

const KEPT = 'loopgate-demo-story';

export const story = signal<Story>(STORIES.find(({ id }) => id === localStorage.getItem(KEPT)) ?? LANDING);

export function chooseStory(chosen: Story): void {
  localStorage.setItem(KEPT, chosen.id);
  story.value = chosen;
}
