/** Starts a story: its project replaces the present one. */
import { runLoop } from 'loopgate';
import { forgetChunks } from '../chunks/chunks';
import { host } from '../host/host';
import { buildProject } from '../host/build';
import { storyModel } from '../model/story/model';
import { chooseStory } from '../model/story/chosen';
import type { Act, Story } from '../model/story/stories';
import { forgetPlan } from '../plan/plan';
import { openFile, refreshFiles } from '../project/project';
import { resetProject } from '../project/seed';
import { forgetSpecs } from '../specs/specs';
import { lastRollback, refreshSnapshots } from '../snapshots/snapshots';
import { message, parseAgain } from '../task/preview';
import { stopFollowing } from './history';
import { forgetBranch } from './branch';
import { clearRun } from './session';
import { unfinished } from './unfinished';

export async function begin(story: Story): Promise<void> {
  try {
    await resetProject(story.files);
    chooseStory(story);
    if (story.before) await play(story.before);
  } finally {
    // The old project is deleted even if the rest failed.
    await resetPage();
  }
  message.value = story.task;
  await parseAgain();
}

async function resetPage(): Promise<void> {
  clearRun();
  forgetPlan();
  stopFollowing();
  forgetSpecs();
  forgetChunks();
  forgetBranch();
  unfinished.value = null;
  lastRollback.value = null;
  openFile('src/App.tsx');
  await refreshSnapshots();
  await refreshFiles();
  await buildProject();
}

/** Runs the earlier task in the harness, so that its plan, theme and snapshots are real. */
async function play({ task, decide }: Act): Promise<void> {
  const { success, message } = await runLoop({ ...host, work: { kind: 'task', message: task }, model: storyModel(decide, { delayMs: 0 }), plan: 'required' }).result;
  if (!success) throw new Error(`The task that prepares the story failed: ${message}`);
}
