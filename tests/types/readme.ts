import init, { runLoop, snapshot, type ModelPort } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import LightningFS from '@isomorphic-git/lightning-fs';
import git from 'isomorphic-git';

export async function runTask(message: string, model: ModelPort): Promise<boolean> {
  await init();
  const fs = new LightningFS('my-ide');
  const dir = '/project';
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir }), dir, model };

  const run = runLoop({ ...host, work: { kind: 'task', message } });
  for await (const event of run) {
    if (event.type === 'phase-changed') console.log(`${event.from} → ${event.to}: ${event.why}`);
    if (event.type === 'gate-checked') console.log(event.report.gate, event.report.verdict, event.report.feedback ?? '');
  }

  const { success, snapshots } = await run.result;
  if (!success && snapshots.pre) await snapshot.rollback(host, snapshots.pre);
  return success;
}
