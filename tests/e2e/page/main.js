// A first program with the installed package: a task with LightningFS and isomorphic-git.
import { Buffer } from 'buffer';
import LightningFS from '@isomorphic-git/lightning-fs';
import git from 'isomorphic-git';
import init, { runLoop, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { scriptedModel } from 'loopgate/testing';
import { runTask as runExample } from './readme.ts';

globalThis.Buffer = Buffer;

const call = (name, args) => ({ toolCalls: [{ name, args }] });
const write = (path, content) => call('write_file', { path, content });
const SUMMARY = write('.ralph/summary.md', 'The README has the requested text.');

/** Runs the example with a model that writes a README. */
const example = () => runExample('Write a README', scriptedModel([write('README.md', 'text'), SUMMARY, call('complete_task')]));

async function runTask() {
  await init();
  const fs = new LightningFS('outside', { wipe: true });
  const dir = '/project';
  await fs.promises.mkdir(dir);
  await fs.promises.writeFile(`${dir}/README.md`, 'before');
  const model = scriptedModel([write('README.md', 'after'), SUMMARY, call('complete_task')]);
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
  globalThis.outcome = { example: await example(), task: await runTask(), worker: await planInWorker() };
} catch (error) {
  globalThis.outcome = { error: String(error?.stack ?? error) };
}
document.title = 'over';
