import { useSignal } from '@preact/signals';
import type { StructuredTask } from 'loopgate';
import { useEffect, useRef } from 'preact/hooks';
import { missingSetting, modelKind } from '../../model/choice';
import { isAsked } from '../../run/session';
import { messageOf } from '../../snapshots/snapshots';
import { close, edit, editing, message, readAgain, reading, readWithModel } from '../../task/preview';
import { runWithAnswer } from '../../task/run';
import { announce } from '../announce';
import { Questions } from './Questions';
import { StructuredTaskView } from './StructuredTaskView';
import { TaskEditor } from './TaskEditor';

const TYPES: Record<StructuredTask['type'], string> = { fresh: 'fresh build', mutation: 'mutation', bugfix: 'bug fix', 'needs-clarification': 'not clear yet' };

/** What the message is read as. It is what runs, and can be changed by hand first. */
export function TaskReading() {
  const section = useRef<HTMLElement>(null);
  const found = reading.value;
  const asks = found?.task.type === 'needs-clarification' && !isAsked.value;
  useEffect(() => {
    if (asks) announce('The task is not clear yet: there are questions to answer');
  }, [asks]);
  if (!found) return null;

  /** The focus goes back to where the editor was opened. */
  const leave = async (way: () => Promise<void>) => {
    await way();
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>('.edit-task')?.focus());
  };
  const { task, edited } = found;
  /** The harness reads it with what it asked. */
  const answers = isAsked.value && !edited && !editing.value;
  return (
    <section class="reading" aria-labelledby="reading-heading" ref={section}>
      <header class="reading-header">
        <h3 id="reading-heading">Read as: <span data-testid="task-type">{answers ? 'your answer' : TYPES[task.type]}</span></h3>
        {!answers && <span class="muted">{edited ? 'edited by you' : `by ${task.parsedBy === 'model' ? 'the model' : 'rules'}`}</span>}
        {!editing.value && <button type="button" class="small edit-task" onClick={() => void edit()}>Edit the task</button>}
      </header>
      {edited && found.message !== message.value && <p class="reading-note" role="status">The message changed since you edited the task. What is below runs.</p>}
      {answers && <p class="muted" role="status">What you write is the answer: the task goes on with both texts.</p>}
      {!answers && (editing.value ? <TaskEditor task={task} /> : <StructuredTaskView task={task} />)}
      {asks && task.questions && (
        <Questions questions={task.questions} otherwise="above" disabled={missingSetting.value !== null} onAnswer={(question) => void runWithAnswer(question)} />
      )}
      <div class="reading-actions">
        {editing.value && <button type="button" class="small" onClick={() => void leave(close)}>Close the editor</button>}
        {edited && <button type="button" class="small quiet" onClick={() => void leave(readAgain)}>Read the message again</button>}
        {!edited && !answers && modelKind.value === 'openai' && <AskModel />}
      </div>
    </section>
  );
}

function AskModel() {
  const asking = useSignal<AbortController | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => () => asking.peek()?.abort(), []);
  const ask = async () => {
    asking.value = new AbortController();
    problem.value = null;
    await readWithModel(asking.value.signal).catch((error) => (problem.value = messageOf(error)));
    asking.value = null;
  };
  return (
    <>
      <button type="button" class="small" disabled={asking.value !== null || missingSetting.value !== null} onClick={() => void ask()}>{asking.value ? 'The model reads …' : 'Let the model read it'}</button>
      {problem.value && <span class="problem" role="alert">{problem.value}</span>}
    </>
  );
}
