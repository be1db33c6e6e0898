import { story } from '../model/story/chosen';
import { BeginDialog } from './BeginDialog';

export function ResetDialog({ onClose }: { onClose(): void }) {
  return (
    <BeginDialog title="Reset the project?" confirm="Reset project" story={story.value} done="The project was reset" onClose={onClose}>
      <p>
        This deletes all files, snapshots and the history of the project and restores {story.value.before ? 'the project of the story' : 'the template'}. It cannot be undone.
      </p>
    </BeginDialog>
  );
}
