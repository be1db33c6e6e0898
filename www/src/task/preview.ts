/** The message as the user writes it, and the task that it is read as. */
import { effect, signal } from '@preact/signals';
import { parseTask, type StructuredTask, type TaskContext } from 'loopgate';
import { chosenModel, modelKind } from '../model/choice';
import { story } from '../model/story/chosen';
import { revision } from '../project/project';
import { editable, finished, problemOf } from './draft';
import { taskContext } from './context';

/** Typing goes on for longer than this between two letters only where the writer stops to think. */
const PAUSE_MS = 150;

export interface Reading {
  /** What was read. */
  message: string;
  task: StructuredTask;
  /** The user changed the task by hand: it is not read again without being asked. */
  edited: boolean;
}

export const message = signal(story.peek().task);
/** The last reading; null before the first, and where there is nothing to read. */
export const reading = signal<Reading | null>(null);

/** The task is open in its editor. */
export const editing = signal(false);

let context: Promise<TaskContext> | undefined;
let pending: ReturnType<typeof setTimeout> | undefined;

/** Reads along while the user writes, and anew when the project is another one. */
export function followMessage(): void {
  effect(() => {
    revision.value;
    context = undefined;
    readSoon(0);
  });
  effect(() => {
    message.value;
    readSoon(PAUSE_MS);
  });
}

/** The task that a run of this message gets: as the user edited it, or as it is read. */
export async function taskToRun(text: string): Promise<StructuredTask> {
  const now = reading.peek();
  // An editor in which nothing is written says nothing, and what was read before the last letters is not the message.
  if (!now || (!now.edited && (now.message.trim() !== text || (editing.peek() && problemOf(now.task))))) return read(text);
  if (!now.edited) return now.task;
  const { taskNumber = now.task.taskNumber, previousTag } = await known();
  return { ...finished(now.task, text), taskNumber, ...(previousTag && { previousTag }) };
}

/** Opens the task to be edited. Until it is closed, it is not read again. */
export async function edit(): Promise<void> {
  const text = message.peek();
  const { task = await read(text), edited = false } = reading.peek() ?? {};
  reading.value = { message: text, task: editable(task, (await known()).planExists), edited };
  editing.value = true;
}

export function change(task: StructuredTask): void {
  reading.value = { message: reading.peek()?.message ?? message.peek(), task, edited: true };
}

/** Closes the editor. What was changed stays. */
export async function close(): Promise<void> {
  editing.value = false;
  if (!reading.peek()?.edited) await readAgain();
}

/** Drops what was edited, and reads the message as it is now. */
export async function readAgain(): Promise<void> {
  editing.value = false;
  await show(message.peek(), read(message.peek()));
}

/** The same by the model, which reads better than rules and takes its time. */
export async function readWithModel(signal: AbortSignal): Promise<void> {
  const text = message.peek();
  await show(text, known().then((context) => parseTask(text, context, modelKind.peek() === 'openai' ? { model: chosenModel(), signal } : {})));
}

function readSoon(ms: number): void {
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (!reading.peek()?.edited && !editing.peek()) void readAgain();
  }, ms);
}

async function show(text: string, task: Promise<StructuredTask>): Promise<void> {
  const found = text.trim() ? { message: text, task: await task, edited: false } : null;
  // Writing may have gone on meanwhile.
  if (text === message.peek()) reading.value = found;
}

const read = async (text: string): Promise<StructuredTask> => parseTask(text, await known());

const known = (): Promise<TaskContext> => (context ??= taskContext());
