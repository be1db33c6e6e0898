/** Several tabs of one project: while one writes it, the others show what it does and change nothing. */
import { findUnfinishedRun, listRuns } from 'loopgate';
import { buildProject } from '../host/build';
import { host } from '../host/host';
import { otherModelOf } from '../model/choice';
import { refreshFiles } from '../project/project';
import { refreshSnapshots } from '../snapshots/snapshots';
import { otherTab, type Use } from '../store';
import { announce } from '../ui/announce';
import { followNewest, stopFollowing } from './history';
import { lockReleased } from './locks';
import { findUnfinished, loadHistory, resume, setAside, showEvents, showFault, takeBackAll, unfinished, view } from './session';

let watches = 0;

/** Makes this tab read only until the other one has freed the project. A run of the other tab is shown. */
export async function watchOtherTab(use: Use): Promise<void> {
  const watch = ++watches;
  otherTab.value = { use, gone: false };
  if (use === 'run') {
    announce('The project runs in another tab');
    takeBackAll();
    setAside();
    view.value = { ...view.peek(), status: 'running' };
    void followNewest(showEvents).catch(showFault);
  }
  await lockReleased();
  if (watch !== watches) return;
  if (use === 'replace') return location.reload();
  const [newest] = use === 'run' ? await listRuns(host).catch(() => []) : [];
  if (watch !== watches) return;
  // A run that was stopped, or that waits for an answer, needs no other tab.
  if (newest?.reason === 'open') {
    otherTab.value = { use, gone: true };
    view.value = { ...view.peek(), status: 'interrupted' };
    return;
  }
  // Its last events are not read yet, or it ended before it had one.
  if (view.peek().status === 'running') {
    stopFollowing();
    await loadHistory();
  }
  otherTab.value = null;
  await Promise.all([refreshFiles(), refreshSnapshots(), findUnfinished().catch(() => {})]);
  await buildProject();
}

/** Resumes the run of the tab that is gone. Its events stay. A run of another model has its card instead, which asks for the model. */
export async function takeOver(): Promise<void> {
  watches++;
  const run = await findUnfinishedRun(host);
  otherTab.value = null;
  if (run && otherModelOf(run.runId)) unfinished.value = run;
  else if (run) await resume(run.runId, run.work);
}
