import { story } from '../model/story/chosen';
import { BeginDialog } from './BeginDialog';

export function ResetDialog({ onClose }: { onClose(): void }) {
  return (
    <BeginDialog title="Reset the project?" confirm="Reset project" story={story.value} done="The project was reset" onClose={onClose}>
      <p>
        All files, all snapshots and the history of this project are deleted, and {story.value.before ? 'the project of its story' : 'the template'} takes their place. This cannot be undone.
      </p>
    </BeginDialog>
  );
}
