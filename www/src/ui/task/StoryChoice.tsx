import { useSignal } from '@preact/signals';
import { story } from '../../model/story/chosen';
import { STORIES, type Story } from '../../model/story/stories';
import { startup } from '../../start';
import { BeginDialog } from '../BeginDialog';

/** Selects the story of the scripted model. A new story replaces the project, so that the user has to confirm. */
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
        <BeginDialog title={`Start “${wanted.value.name}”?`} confirm="Start the story" story={wanted.value} done={`Story started: ${wanted.value.name}`} onClose={() => (wanted.value = null)}>
          <p>{wanted.value.about}</p>
          <p>The story has its own project, which replaces all files, snapshots and the history of this one. This cannot be undone.</p>
        </BeginDialog>
      )}
    </>
  );
}
