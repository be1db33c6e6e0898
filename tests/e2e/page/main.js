// A first program with the installed package: a task with LightningFS and isomorphic-git.
import { Buffer } from 'buffer';
import LightningFS from '@isomorphic-git/lightning-fs';
import git from 'isomorphic-git';
import init, { runLoop, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { scriptedModel } from 'loopgate/testing';

globalThis.Buffer = Buffer;

async function runTask() {
  await init();
  const fs = new LightningFS('outside', { wipe: true });
  const dir = '/project';
  await fs.promises.mkdir(dir);
  await fs.promises.writeFile(`${dir}/README.md`, 'before');
  const call = (name, args) => ({ toolCalls: [{ name, args }] });
  const model = scriptedModel([
    call('write_file', { path: 'README.md', content: 'after' }),
    call('write_file', { path: '.ralph/summary.md', content: 'The README says what it should.' }),
    call('complete_task'),
  ]);
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir }), dir, model };
  const run = runLoop({ ...host, work: { kind: 'task', message: 'Change the README' } });
  const phases = [];
  for await (const event of run) if (event.type === 'phase-changed') phases.push(event.to);
  const { reason, snapshots } = await run.result;
  const written = await fs.promises.readFile(`${dir}/README.md`, 'utf8');
  const { restored } = await snapshot.rollback(host, snapshots.pre);
  return { reason, phases, snapshots, written, restored: restored.includes('README.md'), now: await fs.promises.readFile(`${dir}/README.md`, 'utf8') };
}

function planInWorker() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}

try {
  globalThis.outcome = { task: await runTask(), worker: await planInWorker() };
} catch (error) {
  globalThis.outcome = { error: String(error?.stack ?? error) };
}
document.title = 'over';
