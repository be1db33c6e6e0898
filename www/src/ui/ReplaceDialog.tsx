import { useSignal } from '@preact/signals';
import { isBlank, STORIES, story } from '../model/story/stories';
import { downloadProject } from '../project/project';
import { playReplacement, replaceProject, type Replacement } from '../run/begin';
import { messageOf } from '../snapshots/snapshots';
import { dialog, startup } from '../store';
import { announce } from './announce';
import { Dialog } from './Dialog';

/** Asks before an empty project, or the project of a story, takes the place of this one. */
export function ReplaceDialog({ what }: { what: Replacement }) {
  const busy = useSignal(false);
  const error = useSignal<string | null>(null);
  const next = what === 'new' ? null : what === 'reset' ? (isBlank.value ? null : story.value) : what.story;
  const [title, confirm] = what === 'new' ? ['Start a new project?', 'New project'] : what === 'reset' ? ['Reset the project?', 'Reset project'] : [`Start “${what.story.title}”?`, 'Replace the project'];
  const start = async () => {
    busy.value = true;
    try {
      await replaceProject(what);
      // The page that could not start does now.
      if ('error' in startup.value) return location.reload();
      announce(next ? `The project of “${next.title}” is open` : 'A new project is open');
      dialog.value = null;
      playReplacement(what);
    } catch (cause) {
      error.value = messageOf(cause);
      busy.value = false;
    }
  };
  const save = () => void downloadProject().catch((cause) => (error.value = messageOf(cause)));
  return (
    <Dialog title={title} confirm={confirm} isDanger busy={busy.value} blocked={'step' in startup.value} error={error.value} onConfirm={() => void start()} onClose={() => (dialog.value = null)}>
      <p>All files, versions, unsaved edits and the history of this project are deleted, and {next && next !== STORIES[0] ? 'the project of the story' : 'the empty template'} takes their place. This cannot be undone.</p>
      <p><button type="button" class="small" disabled={busy.value} onClick={save}>Download the files</button></p>
    </Dialog>
  );
}
