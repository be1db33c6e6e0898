import init, { formatEvent, revert, runLoop, type ModelPort } from 'loopgate';
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
    const line = formatEvent(event);
    if (line && line.kind !== 'detail') console.log(line.text);
  }

  const { success } = await run.result;
  if (!success) await revert(host, { runId: run.id }); // what the user changed meanwhile stays
  return success;
}
