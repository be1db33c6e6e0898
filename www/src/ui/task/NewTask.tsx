import { isScripted, missingSetting } from '../../model/choice';
import { story } from '../../model/story/chosen';
import { planMode, view } from '../../run/session';
import { startup } from '../../start';
import { problemOf } from '../../task/draft';
import { message, preview } from '../../task/preview';
import { runMessage } from '../../task/run';
import { Icon } from '../Icon';
import { ModelSettingsButton } from '../model/ModelButton';
import { Outcome } from './Outcome';
import { StoryChoice } from './StoryChoice';
import { TaskPreview } from './TaskPreview';

/** The message, the task parsed from it, and the button that runs it. */
export function NewTask() {
  const ready = 'ready' in startup.value;
  const { edited, task } = preview.value ?? {};
  const problem = missingSetting.value ?? (message.value.trim() ? null : 'Describe a task') ?? (edited && task ? problemOf(task) : null);
  const run = (event: Event) => {
    event.preventDefault();
    if (!problem && ready) void runMessage();
  };
  return (
    <form class="panel-body task-form" onSubmit={run} onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && run(event)}>
      <Outcome />
      {isScripted.value && <StoryChoice />}
      <label class="visually-hidden" for="task-text">What should the agent do?</label>
      <textarea
        id="task-text"
        rows={3}
        value={message.value}
        placeholder="What should the agent do?"
        aria-describedby="task-hint"
        onInput={(event) => (message.value = event.currentTarget.value)}
      />
      {view.value.result?.success && isScripted.value && story.value.next.length > 0 && (
        <p class="suggestions">
          <span class="muted">Next:</span>
          {story.value.next.map((task) => <button key={task} type="button" class="chip" onClick={() => (message.value = task)}>{task}</button>)}
        </p>
      )}
      {/* Above the preview, whose height changes, so that the button does not move. */}
      <div class="task-actions">
        <label class="inline-field">
          Plan
          <select value={planMode.value} onChange={(event) => (planMode.value = event.currentTarget.value as typeof planMode.value)}>
            <option value="auto">optional</option>
            <option value="required">required</option>
            <option value="off">off</option>
          </select>
        </label>
        <span id="task-hint" class="muted hint">{problem ?? 'Ctrl+Enter to run'}</span>
        {missingSetting.value && <ModelSettingsButton />}
        <button type="submit" class="primary" disabled={problem !== null || !ready}><Icon name="play" /> Run</button>
      </div>
      {ready && <TaskPreview />}
    </form>
  );
}
