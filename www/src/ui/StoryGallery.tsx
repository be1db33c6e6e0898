import type { Work } from 'loopgate';
import { useId } from 'preact/hooks';
import { refusalOf } from '../model/choice';
import { messages, STORIES, story } from '../model/story/stories';
import type { Caught } from '../model/story/story';
import { openStory, play, startingStory } from '../run/begin';
import { caughtIn } from '../run/cards';
import { earlier, isRunning, view } from '../run/session';
import { dialog, startup } from '../store';
import { Dialog } from './Dialog';
import { Icon } from './Icon';
import { ModelSettingsButton } from './model/ModelButton';

/** The first view: what this is, and the stories. */
export function StoryGallery() {
  const starting = startingStory.value;
  // The dialog of the stories can be open over the gallery.
  const heading = useId();
  const locked = 'error' in startup.value || isRunning.value || starting !== null;
  return (
    <section class="story-gallery" aria-labelledby={heading}>
      <h2 id={heading}>An agent writes code. loopgate checks each of its claims.</h2>
      <p class="muted">Play a story, or write your own task with a model of yours.</p>
      <ModelSettingsButton>Connect a model</ModelSettingsButton>
      <ul>
        {STORIES.map((each) => (
          <li key={each.id}>
            {/* Not `disabled`: the card keeps the focus while the story starts. */}
            <button type="button" class="story-option" data-story={each.id} aria-disabled={locked} onClick={() => !locked && void openStory(each)}>
              <strong>{each.title}</strong>
              <span>{each.point}</span>
              <span class="muted"><Icon name="play" /> {each === starting ? 'Starting …' : each.length}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the chosen story shows, above its run, with a link to the mistake once it happened. */
export function StoryCard() {
  const { title, point, watch, parts } = story.value;
  const canPlay = 'ready' in startup.value && view.value.status === 'idle' && !startingStory.value;
  return (
    <section class="thread-card story-card" aria-label="Story">
      <h2>{title}</h2>
      <p class="muted">{point}:</p>
      <ol>
        {watch.map(({ text, caught }) => <li key={text}>{text}{caught && <Seen mistake={caught} />}</li>)}
      </ol>
      {canPlay && <button type="button" class="small" onClick={() => void play(parts[0])}><Icon name="play" /> Play it</button>}
    </section>
  );
}

/** The attempt of the newest run with the mistake, or that an earlier run had it. */
function Seen({ mistake }: { mistake: Caught }) {
  const number = caughtIn(view.value, mistake);
  if (number === undefined) return earlier.value.some((run) => caughtIn(run, mistake) !== undefined) ? <strong> ✓ seen</strong> : null;
  const open = () => {
    const attempt = document.querySelector<HTMLDetailsElement>(`.thread-list > .attempt[data-attempt="${number}"]`);
    if (!attempt) return;
    attempt.open = true;
    attempt.querySelector('summary')?.focus({ preventScroll: true });
    attempt.scrollIntoView({ block: 'start' });
  };
  const name = view.value.attempts.find((attempt) => attempt.number === number)?.name;
  return <> <button type="button" class="link" onClick={open}>← {name?.toLowerCase() ?? 'here'}</button></>;
}

/** Why the demo script does not do this work, with the ways out. */
export function ScriptRefusal({ work, edited }: { work: Work; edited?: boolean }) {
  const refused = refusalOf(work, edited);
  const next = story.value.parts.find(({ work }) => work.kind !== 'task' || messages.value.includes(work.message));
  // The story itself, or what it suggests next.
  const name = !next || next === story.value.parts[0] || next.work.kind !== 'task' ? 'Play it' : `Play “${next.work.message}”`;
  if (!refused) return null;
  return (
    <div class="script-refusal">
      <p role="status">{refused}</p>
      <button type="button" class="small" onClick={() => void (next ? play(next) : openStory(story.value))}>{name}</button>
      <ModelSettingsButton>Connect a model</ModelSettingsButton>
    </div>
  );
}

/** The stories of the project's menu. */
export function StoriesDialog() {
  return <Dialog title="Stories" cancel="Close" onClose={() => (dialog.value = null)}><StoryGallery /></Dialog>;
}
