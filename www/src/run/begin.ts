/** Begins a story anew: its project takes the place of the one that is there, and of that nothing is shown any more. */
import { runLoop } from 'loopgate';
import { host } from '../host/host';
import { buildProject } from '../host/build';
import { storyModel } from '../model/story/model';
import { chooseStory } from '../model/story/chosen';
import type { Act, Story } from '../model/story/stories';
import { forgetPlan } from '../plan/plan';
import { look, openPath } from '../project/project';
import { resetProject } from '../project/seed';
import { lastRollback, refreshSnapshots } from '../snapshots/snapshots';
import { message, readAgain } from '../task/preview';
import { clearRun } from './session';
import { unfinished } from './unfinished';

export async function begin(story: Story): Promise<void> {
  try {
    await resetProject(story.files);
    chooseStory(story);
    if (story.before) await play(story.before);
  } finally {
    // However far it came, the old project is gone.
    await showAnew();
  }
  message.value = story.task;
  await readAgain();
}

async function showAnew(): Promise<void> {
  clearRun();
  forgetPlan();
  unfinished.value = null;
  lastRollback.value = null;
  openPath.value = 'src/App.tsx';
  await refreshSnapshots();
  await look();
  await buildProject();
}

/** The harness runs the earlier task like every other one: its plan, its theme and its snapshots are as they would be. */
async function play({ task, decide }: Act): Promise<void> {
  const { success, message } = await runLoop({ ...host, work: { kind: 'task', message: task }, model: storyModel(decide, 0), plan: 'required' }).result;
  if (!success) throw new Error(`The task before the story did not end well: ${message}`);
}
