import { useSignal } from '@preact/signals';
import { story } from '../../model/story/chosen';
import { STORIES, type Story } from '../../model/story/stories';
import { startup } from '../../start';
import { BeginDialog } from '../BeginDialog';

/** Which story the scripted model plays. Another one begins in a project of its own, so that it is asked first. */
export function StoryChoice() {
  const wanted = useSignal<Story | null>(null);
  const select = (event: Event & { currentTarget: HTMLSelectElement }) => {
    wanted.value = STORIES.find(({ id }) => id === event.currentTarget.value) ?? null;
    event.currentTarget.value = story.value.id;
  };
  return (
    <>
      <label class="inline-field story-choice">
        Story
        <select value={story.value.id} disabled={!('ready' in startup.value)} onChange={select}>
          {STORIES.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </select>
      </label>
      {wanted.value && (
        <BeginDialog title={`Begin “${wanted.value.name}”?`} confirm="Begin the story" story={wanted.value} done={`The story begins: ${wanted.value.name}`} onClose={() => (wanted.value = null)}>
          <p>{wanted.value.about}</p>
          <p>It begins in a project of its own, which replaces all files, snapshots and the history of this one. This cannot be undone.</p>
        </BeginDialog>
      )}
    </>
  );
}
