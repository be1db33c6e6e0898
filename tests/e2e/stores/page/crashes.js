// What a test does before, during and after a crash, each in a worker of its own.
import { followRun, listRuns, runLoop, snapshot } from 'loopgate';
import { filesOf, put, tags, take } from './commands.js';
import { agent, TASK } from './task.js';
import { DIR } from './store.js';

const author = { name: 'U', email: 'u@example.com' };

/** A project with the snapshot `base`, and what changed since. */
export async function prepareSnapshots(store, files, removed, changed) {
  await put(store, files);
  await snapshot.save(store.host, { tag: 'base' });
  await store.fs.promises.unlink(`${DIR}/${removed}`);
  await put(store, changed);
}

/** Writes the project of the run, and commits it. */
export async function prepareRun(store) {
  const { git, fs } = store;
  const encoded = Object.entries({ '.gitignore': '.loopgate\n', ...TASK.files }).map(([path, text]) => [path, btoa(text)]);
  await put(store, Object.fromEntries(encoded));
  await git.init({ fs, dir: DIR, defaultBranch: 'main' });
  await git.add({ fs, dir: DIR, filepath: '.' });
  await git.commit({ fs, dir: DIR, message: 'by the user', author });
  await fs.promises.flush();
}

export async function driveRun(store) {
  return endOf(store, (await run(store)).id);
}

/** Resumes the run. One that had not begun begins now, and one that had ended has nothing to do. */
export async function recoverRun(store) {
  const [newest] = await listRuns(store.host);
  if (!newest) return driveRun(store);
  try {
    await run(store, newest.runId);
  } catch (error) {
    if (error.code === 'not-found') return driveRun(store);
    if (error.code !== 'invalid-argument' || !error.message.includes('is finished')) throw error;
  }
  return endOf(store, newest.runId);
}

async function run({ host, fs }, resume) {
  const read = (path) => fs.promises.readFile(`${DIR}/${path}`, 'utf8').catch(() => '');
  const shell = {
    async execute(command) {
      await fs.promises.writeFile(`${DIR}/src/index.css`, command);
      return { exitCode: 0, stdout: 'applied', stderr: '' };
    },
  };
  const started = runLoop({ ...host, shell, model: agent(read), ...TASK.options, ...(resume && { resume }) });
  const { success, message } = await started.result;
  if (!success) throw new Error(`the run has failed: ${message}`);
  return started;
}

/** What a run leaves: the decisions in its journal, and the project. */
async function endOf(store, runId) {
  const decisions = [];
  for await (const event of followRun(store.host, { runId })) {
    const decided = DECISIONS[event.type];
    if (decided) decisions.push(`${event.type} ${JSON.stringify(event[decided])}`);
  }
  const { git, fs } = store;
  const history = {};
  for (const branch of await git.listBranches({ fs, dir: DIR })) {
    history[branch] = (await git.log({ fs, dir: DIR, ref: branch })).map(({ commit }) => commit.message);
  }
  return { runId, decisions, history, tags: (await git.listTags({ fs, dir: DIR })).toSorted(), project: await take(store) };
}

const DECISIONS = {
  'verdict-given': 'verdict', 'plan-accepted': 'attempt', 'plan-invalidated': 'attempt', 'spec-finished': 'spec', 'gates-finished': 'round',
  'attempt-failed': 'role', 'attempt-reverted': 'attempt', 'chunk-committed': 'chunk', 'run-finished': 'reason',
};

/** The state after a save was cut off, and after the next save. */
export async function recoverSave(store, tag) {
  const found = await tags(store);
  const saved = found.some((each) => each.tag === tag) ? await filesOf(store, tag) : null;
  await snapshot.save(store.host, { tag: 'opened' });
  return { found, saved, opened: await filesOf(store, 'opened'), project: await take(store) };
}

/** The state after a rollback was cut off and the next call, and after an undo if the rollback was done. */
export async function recoverRollback(store, target) {
  const found = await tags(store);
  await snapshot.save(store.host, { tag: 'opened' });
  const project = await take(store);
  const [opened, wanted] = [await filesOf(store, 'opened'), await filesOf(store, target)];
  const isDone = JSON.stringify(opened) === JSON.stringify(wanted);
  if (isDone) await snapshot.undo(store.host);
  return { found, opened, project, isDone, undone: isDone ? await take(store) : project };
}
