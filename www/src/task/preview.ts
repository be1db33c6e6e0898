/** The user's message and the task parsed from it. */
import { effect, signal } from '@preact/signals';
import { parseTask, type StructuredTask, type TaskContext } from 'loopgate';
import { chosenModel } from '../model/choice';
import { story } from '../model/story/chosen';
import { revision } from '../project/project';
import { editable, finished, problemOf } from './draft';
import { taskContext } from './context';

/** The message is parsed after this pause in typing. */
const PAUSE_MS = 150;

export interface Preview {
  message: string;
  task: StructuredTask;
  /** The user has edited the task: it is not parsed again automatically. */
  edited: boolean;
}

export const message = signal(story.peek().task);
/** Null if the message is empty or not parsed yet. */
export const preview = signal<Preview | null>(null);

/** The task is open in the editor. */
export const editing = signal(false);

let context: Promise<TaskContext> | undefined;
let pending: ReturnType<typeof setTimeout> | undefined;

/** Parses the message while the user types, and when the project changes. */
export function followMessage(): void {
  effect(() => {
    revision.value;
    context = undefined;
    parseSoon(0);
  });
  effect(() => {
    message.value;
    parseSoon(PAUSE_MS);
  });
}

/** The task for a run of this message: as edited by the user, or as parsed. */
export async function taskToRun(text: string): Promise<StructuredTask> {
  const now = preview.peek();
  // Ignore an editor without requirements, and a preview of an older message.
  if (!now || (!now.edited && (now.message.trim() !== text || (editing.peek() && problemOf(now.task))))) return parse(text);
  if (!now.edited) return now.task;
  const { taskNumber = now.task.taskNumber, previousTag } = await known();
  return { ...finished(now.task, text), taskNumber, ...(previousTag && { previousTag }) };
}

/** Opens the task in the editor. It is not parsed again until the editor is closed. */
export async function edit(): Promise<void> {
  const text = message.peek();
  const { task = await parse(text), edited = false } = preview.peek() ?? {};
  preview.value = { message: text, task: editable(task, (await known()).planExists), edited };
  editing.value = true;
}

export function change(task: StructuredTask): void {
  preview.value = { message: preview.peek()?.message ?? message.peek(), task, edited: true };
}

/** Closes the editor. Edits are kept. */
export async function close(): Promise<void> {
  editing.value = false;
  if (!preview.peek()?.edited) await parseAgain();
}

/** Discards edits and parses the present message. */
export async function parseAgain(): Promise<void> {
  editing.value = false;
  await show(message.peek(), parse(message.peek()));
}

/** Rejects if the model cannot do it. The rules have parsed the message then. */
export async function parseWithModel(signal: AbortSignal): Promise<void> {
  const text = message.peek();
  let problem: string | null = null;
  const model = chosenModel(undefined, (text) => (problem = text));
  const task = await parseTask(text, await known(), { model, signal });
  await show(text, Promise.resolve(task));
  if (task.parsedBy !== 'model') throw new Error(problem ?? 'The answer of the model is not a task, so the message is parsed by rules. Test the connection, or choose another model.');
}

function parseSoon(ms: number): void {
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (!preview.peek()?.edited && !editing.peek()) void parseAgain();
  }, ms);
}

async function show(text: string, task: Promise<StructuredTask>): Promise<void> {
  const found = text.trim() ? { message: text, task: await task, edited: false } : null;
  // The user may have typed in the meantime.
  if (text === message.peek()) preview.value = found;
}

const parse = async (text: string): Promise<StructuredTask> => parseTask(text, await known());

const known = (): Promise<TaskContext> => (context ??= taskContext());
