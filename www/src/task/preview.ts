/** The user's message and the task parsed from it. */
import { effect, signal } from '@preact/signals';
import { parseTask, type StructuredTask, type TaskContext, taskContext } from 'loopgate';
import { host } from '../host/host';
import { chosenModel } from '../model/choice';
import { firstMessage, isOwn, story } from '../model/story/stories';
import { revision } from '../project/project';
import { answer, earlier, isAsked, isRunning, startTask, steer, view } from '../run/session';
import { editable, finished, problemOf } from './draft';
import { persist, toast } from '../store';

/** The message is parsed after this pause in typing. */
const PAUSE_MS = 150;

export interface Preview {
  message: string;
  task: StructuredTask;
  /** The user has edited the task: it is not parsed again automatically. */
  edited: boolean;
}

/** Kept for this tab. */
const KEPT = 'loopgate-demo-message';
const KEPT_TASK = 'loopgate-demo-task';

/** It survives a reload, and so does the task that the user edited. */
export const message = signal(sessionStorage.getItem(KEPT) ?? '');
effect(() => persist(sessionStorage, KEPT, message.value));

/** Null if the message is empty or not parsed yet. */
export const preview = signal<Preview | null>(JSON.parse(sessionStorage.getItem(KEPT_TASK) ?? 'null') as Preview | null);
effect(() => persist(sessionStorage, KEPT_TASK, preview.value?.edited ? JSON.stringify(preview.value) : null));

/** The task is open in the editor. */
export const editing = signal(false);

let context: Promise<TaskContext> | undefined;
let pending: ReturnType<typeof setTimeout> | undefined;

/** Parses the message while the user types, and when the project changes. The first message is the one of the story. */
export function followMessage(): void {
  const { opening } = story.peek();
  const hasRun = [...earlier.peek(), view.peek()].some(({ work }) => work && !(work.kind === 'task' && opening?.work.kind === 'task' && work.message === opening.work.message));
  message.value ||= hasRun ? '' : firstMessage(story.peek());
  // The files change often in a run, which needs no preview.
  effect(() => {
    revision.value;
    if (isRunning.value) return;
    context = undefined;
    parseSoon(0);
  });
  effect(() => {
    message.value;
    parseSoon(PAUSE_MS);
  });
}

/** Writes a message, which the user sends. A text of the user that it replaces can come back. */
export function propose(text: string): void {
  const before = message.peek();
  message.value = text;
  if (before.trim() !== text && isOwn(before)) toast.value = { text: 'Your text is replaced', undo: async () => void (message.value = before) };
}

/** Sends the message: to the agent of the running task, as the answer to the questions of the last one, or as a new task. */
export async function send(): Promise<void> {
  const text = message.peek().trim();
  const isAnswer = isAsked.peek() && !preview.peek()?.edited;
  const task = isRunning.peek() || isAnswer ? null : taskToRun(text);
  [message.value, preview.value, editing.value] = ['', null, false];
  if (isRunning.peek()) return steer(text);
  await (task ? startTask(text, task) : answer(text));
}

/** The task for a run of this message: as edited by the user, or as parsed. */
async function taskToRun(text: string): Promise<StructuredTask> {
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
  shows++;
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
  const text = message.peek();
  await show(text, text.trim() ? parse(text) : null);
}

/** Rejects if the model cannot do it. The rules have parsed the message then. */
export async function parseWithModel(signal: AbortSignal): Promise<void> {
  const text = message.peek();
  let problem: string | null = null;
  const model = chosenModel(undefined, (text) => (problem = text));
  const task = await parseTask(text, await known(), { model, signal });
  // The user has edited the task since.
  signal.throwIfAborted();
  await show(text, Promise.resolve(task));
  if (task.parsedBy !== 'model') throw new Error(problem ?? 'The answer of the model is not a task, so the message is parsed by rules. Test the connection, or choose another model.');
}

function parseSoon(ms: number): void {
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (!preview.peek()?.edited && !editing.peek() && !isRunning.peek()) void parseAgain();
  }, ms);
}

/** A task that is parsed later than the next one, or than the user opened the editor, is not shown. */
let shows = 0;

async function show(text: string, task: Promise<StructuredTask> | null): Promise<void> {
  const number = ++shows;
  const found = task && { message: text, task: await task, edited: false };
  // The user may have typed in the meantime.
  if (number === shows && text === message.peek()) preview.value = found;
}

export const parse = async (text: string): Promise<StructuredTask> => parseTask(text, await known());

const known = (): Promise<TaskContext> => (context ??= taskContext(host).catch(() => ({ planExists: false })));
