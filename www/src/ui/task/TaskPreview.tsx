import { useSignal } from '@preact/signals';
import type { StructuredTask } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { isScripted, missingSetting } from '../../model/choice';
import { isAsked } from '../../run/session';
import { messageOf } from '../../snapshots/snapshots';
import { close, edit, editing, message, parseAgain, parseWithModel, preview } from '../../task/preview';
import { runWithAnswer } from '../../task/run';
import { announce } from '../announce';
import { ModelProblem } from '../model/ModelProblem';
import { Questions } from './Questions';
import { StructuredTaskView } from './StructuredTaskView';
import { TaskEditor } from './TaskEditor';

const TYPES: Record<StructuredTask['type'], string> = { fresh: 'fresh build', mutation: 'mutation', bugfix: 'bug fix', 'needs-clarification': 'unclear' };

/** The task parsed from the message, which the user can edit before the run. */
export function TaskPreview() {
  const section = useRef<HTMLElement>(null);
  const found = preview.value;
  const asks = found?.task.type === 'needs-clarification' && !isAsked.value;
  useEffect(() => {
    if (asks) announce('The task is unclear: answer the questions');
  }, [asks]);
  if (!found) return null;

  /** Moves the focus back to the button that opens the editor, unless the user moved it elsewhere meanwhile. */
  const leave = async (way: () => Promise<void>) => {
    await way();
    requestAnimationFrame(() => {
      const { activeElement, body } = document;
      if (activeElement === body || section.current?.contains(activeElement)) section.current?.querySelector<HTMLElement>('.edit-task')?.focus();
    });
  };
  const { task, edited } = found;
  /** The message is the answer to a question. */
  const answers = isAsked.value && !edited && !editing.value;
  return (
    <section class="reading" aria-labelledby="reading-heading" ref={section}>
      <header class="reading-header">
        <h3 id="reading-heading">Parsed as: <span data-testid="task-type">{answers ? 'your answer' : TYPES[task.type]}</span></h3>
        {!answers && <span class="muted">{edited ? 'edited by you' : `by ${task.parsedBy === 'model' ? 'the model' : 'rules'}`}</span>}
        {!editing.value && <button type="button" class="small edit-task" onClick={() => void edit()}>Edit the task</button>}
      </header>
      {edited && found.message !== message.value && <p class="reading-note" role="status">The message changed after you edited the task. The task below runs.</p>}
      {answers && <p class="muted" role="status">Your message is the answer: the task continues with both texts.</p>}
      {!answers && (editing.value ? <TaskEditor task={task} /> : <StructuredTaskView task={task} />)}
      {asks && task.questions && (
        <Questions questions={task.questions} otherwise="above" disabled={missingSetting.value !== null} onAnswer={(question) => void runWithAnswer(question)} />
      )}
      <div class="reading-actions">
        {editing.value && <button type="button" class="small" onClick={() => void leave(close)}>Close the editor</button>}
        {edited && <button type="button" class="small quiet" onClick={() => void leave(parseAgain)}>Parse the message again</button>}
        {!edited && !answers && !isScripted.value && <AskModel key={found.message} />}
      </div>
    </section>
  );
}

function AskModel() {
  const asking = useSignal<AbortController | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => () => asking.peek()?.abort(), []);
  const ask = async () => {
    const { signal } = (asking.value = new AbortController());
    problem.value = null;
    await parseWithModel(signal).catch((error) => (problem.value = signal.aborted ? null : messageOf(error)));
    asking.value = null;
  };
  return (
    <>
      {asking.value
        ? <button type="button" class="small" onClick={() => asking.value?.abort()}>Stop parsing</button>
        : <button type="button" class="small" disabled={missingSetting.value !== null} onClick={() => void ask()}>Parse with the model</button>}
      {asking.value && <span class="muted" role="status">The model parses the message …</span>}
      {problem.value && <ModelProblem text={problem.value} />}
    </>
  );
}
