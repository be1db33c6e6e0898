/** Starts a story: its project replaces the present one. */
import { signal } from '@preact/signals';
import { runLoop } from 'loopgate';
import { host } from '../host/host';
import { buildProject } from '../host/build';
import { chooseScript } from '../model/choice';
import { storyModel } from '../model/story/player';
import { chooseStory, firstMessage, isBlank, isOwn, STORIES, story } from '../model/story/stories';
import type { Part, Story } from '../model/story/story';
import { documents, unsaved } from '../code/documents';
import { readText, refreshFiles } from '../project/project';
import { resetProject } from '../project/seed';
import { filePaths, readTree } from '../project/tree';
import { forgetSpecs, newSpec } from '../specs/specs';
import { chosenBase } from '../snapshots/snapshots';
import { damaged, dialog, isChat, isTabChosen, openFile, persist, showTab, startup, tab, toast } from '../store';
import { message, parse, parseAgain } from '../task/preview';
import { stopFollowing } from './history';
import { exclusively } from './locks';
import { forgetBranch } from '../specs/branch';
import { isRunning, loadHistory, runSpecs, setAside, startTask, unfinished } from './session';

/** The files at the start of the story. It is empty while a project takes the place of another one. */
const KEPT_START = 'loopgate-demo-start';
/** In this tab or another one. If the page closes meanwhile, it stays true. */
export const isReplacing = (): boolean => localStorage.getItem(KEPT_START) === '';

/** Its project takes the place of the present one. */
export const startingStory = signal<Story | null>(null);

/** What takes the place of the present project. `plays`: the story runs then. */
export type Replacement = 'new' | 'reset' | { story: Story; plays: boolean };

/** Replaces the project, at once if nothing of the user is lost. Otherwise, or if it failed, a dialog asks and shows the error. */
export async function openProject(what: Exclude<Replacement, 'reset'>): Promise<void> {
  if (startingStory.peek()) return;
  startingStory.value = what === 'new' ? STORIES[0]! : what.story;
  const isDone = (await isUntouched()) && (await replaceProject(what).then(() => true, () => false));
  startingStory.value = null;
  dialog.value = isDone ? null : what;
  if (isDone) playReplacement(what);
}

/** Starts and plays a story. A click before the page is ready counts. */
export async function openStory(chosen: Story): Promise<void> {
  if (startingStory.peek()) return;
  startingStory.value = chosen;
  const canStart = await started();
  startingStory.value = null;
  if (canStart && !isRunning.peek()) await openProject({ story: chosen, plays: true });
}

/** Resolves with whether the start of the page succeeded. */
const started = (): Promise<boolean> =>
  new Promise((resolve) => {
    const stop = startup.subscribe((now) => {
      if ('step' in now) return;
      resolve('ready' in now);
      queueMicrotask(() => stop());
    });
  });

export const replaceProject = (what: Replacement): Promise<void> =>
  what === 'new' ? begin(STORIES[0]!, true) : what === 'reset' ? begin(story.peek(), isBlank.peek()) : begin(what.story);

export function playReplacement(what: Replacement): void {
  if (what instanceof Object && what.plays) void play(what.story.parts[0]);
}

/** Opens the story that the address names, such as `?story=claimed`, without playing it. If the page closed while it prepared a project, that project begins again. */
export async function openLinkedStory(): Promise<void> {
  if (isReplacing()) await begin(story.peek(), isBlank.peek());
  const id = new URLSearchParams(location.search).get('story');
  const linked = STORIES.find((each) => each.id === id);
  if (linked && linked !== story.peek()) await openProject({ story: linked, plays: false });
}

/** Otherwise a reload would open the linked story instead of the present project. */
function forgetLink(): void {
  const address = new URL(location.href);
  address.searchParams.delete('story');
  history.replaceState(null, '', address);
}

/** What the user wrote before the script plays. */
let written = '';
function giveBack(): void {
  if (written) message.value = [written, message.peek()].filter(Boolean).join('\n');
  written = '';
}
addEventListener('pagehide', giveBack);

/**
 * Runs a part of the chosen story with the script. A message of the user comes back afterwards. The user writes the spec of steps
 * first, in the studio.
 */
export async function play({ work }: Part): Promise<void> {
  chooseScript();
  if (work.kind === 'chunks') return showTab('specs');
  if (work.kind === 'spec') return runSpecs(work.path);
  if (isOwn(message.peek())) written = message.peek();
  message.value = '';
  await startTask(work.message, parse(work.message)).finally(giveBack);
}

const begin = (chosen: Story, blank = false): Promise<void> => exclusively('replace', () => replace(chosen, blank));

async function replace(chosen: Story, blank: boolean): Promise<void> {
  /** The user may write meanwhile. */
  const typed = () => (isOwn(message.peek()) ? message.peek() : '');
  persist(localStorage, KEPT_START, '');
  try {
    await resetProject(chosen.files);
    chooseStory(chosen, blank);
    message.value = typed();
    if (chosen.id !== new URLSearchParams(location.search).get('story') || blank) forgetLink();
    if (chosen.opening) await prepare(chosen.opening);
  } finally {
    // Before the user can edit.
    await rememberStart();
    // The old project is deleted even if the rest failed.
    await resetPage();
  }
  if (chosen.studio) {
    await newSpec({ idea: chosen.studio.idea });
    await rememberStart();
  }
  message.value = typed() || (blank ? '' : firstMessage(chosen));
  await parseAgain();
  if (chosen.parts[0].work.kind !== 'task') return showTab('specs');
  [tab.value, isTabChosen.value, isChat.value] = ['preview', false, true];
}

async function resetPage(): Promise<void> {
  documents.value = new Map();
  stopFollowing();
  forgetSpecs();
  forgetBranch();
  unfinished.value = null;
  [toast.value, damaged.value, chosenBase.value, openFile.value] = [null, null, null, { path: 'src/App.tsx' }];
  setAside();
  await loadHistory(true);
  await refreshFiles();
  await buildProject();
}

/** Runs the earlier task in the harness, so that its plan, theme and snapshots are real. */
async function prepare(opening: Part): Promise<void> {
  const { success, message } = await runLoop({ ...host, work: opening.work, model: storyModel([opening], { delayMs: 0 }), plan: 'required' }).result;
  if (!success) throw new Error(`The task that prepares the story failed: ${message}`);
}

/** The project is as at the start of its story. */
const isUntouched = async (): Promise<boolean> => !unsaved.peek().length && (await projectText()) === localStorage.getItem(KEPT_START);

export const rememberStart = async (): Promise<void> => persist(localStorage, KEPT_START, await projectText());

async function projectText(): Promise<string> {
  return JSON.stringify(await Promise.all(filePaths(await readTree()).map(async (path) => [path, await readText(path)])));
}
