/** The stories of the demo, and the chosen one. */
import { computed, effect, signal } from '@preact/signals';
import { readText, revision } from '../../project/project';
import { persist } from '../../store';
import { asks } from './asks/story';
import { cart } from './cart/story';
import { checkout } from './checkout/story';
import { claimed, converted, freed, rolledBack } from './drinks/stories';
import { landing } from './landing/story';
import { holds } from './player';
import type { Part, Story } from './story';

export const STORIES: readonly Story[] = [landing, claimed, converted, asks, freed, rolledBack, cart, checkout];

/** Stored, because after a reload the project may be in the middle of it. */
const KEPT = 'loopgate-demo-story';

const BLANK = 'blank';

function kept(): { chosen: Story; blank: boolean } {
  const id = localStorage.getItem(KEPT);
  return { chosen: STORIES.find((story) => story.id === id) ?? landing, blank: id === BLANK };
}

const first = kept();
export const story = signal<Story>(first.chosen);
/** The project is the user's own, which began with the template. */
export const isBlank = signal(first.blank);

/** Another tab has chosen another story since this page was loaded. */
export function isOutdated(): boolean {
  const { chosen, blank } = kept();
  return chosen !== story.peek() || blank !== isBlank.peek();
}

export const projectName = computed(() => (isBlank.value ? 'New project' : story.value.title));

export function chooseStory(chosen: Story, blank = false): void {
  persist(localStorage, KEPT, blank ? BLANK : chosen.id);
  [story.value, isBlank.value] = [chosen, blank];
}

/** Every message of a story. */
const scripted = new Set(STORIES.flatMap(({ parts, opening }) => [...parts, ...(opening ? [opening] : [])]).flatMap(({ work }) => (work.kind === 'task' ? [work.message] : [])));
/** The user wrote it. */
export const isOwn = (text: string): boolean => text.trim() !== '' && !scripted.has(text.trim());

/** The mistake that the story is about. */
export const mistakeOf = ({ watch }: Story) => watch.find(({ caught }) => caught)?.caught;

/** The message that the story starts with; empty if it starts with a spec, and in the user's own project. */
export const firstMessage = ({ parts: [{ work }] }: Story): string => (work.kind === 'task' && !isBlank.peek() ? work.message : '');

const playable = signal<readonly Part[]>([]);
/** The messages that the script can play now. */
export const messages = computed(() => playable.value.flatMap(({ work }) => (work.kind === 'task' ? [work.message] : [])));

/** Keeps `messages` in step with the files. */
effect(() => {
  const { parts } = story.value;
  if (revision.value === 0) return;
  void playableNow(parts).then((now) => {
    if (story.peek().parts === parts) playable.value = now;
  });
});

async function playableNow(parts: readonly Part[]): Promise<Part[]> {
  const paths = [...new Set(parts.flatMap(({ playable = [] }) => playable.map((condition) => condition.in)))];
  const texts = new Map(await Promise.all(paths.map(async (path) => [path, (await readText(path)) ?? ''] as const)));
  return parts.filter((part) => holds(part.playable, (path) => texts.get(path) ?? ''));
}
