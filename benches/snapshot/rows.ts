import init, { runLoop, snapshot } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { compareRounds, median, type Row } from '../measure.ts';
import { Project, type StoreKind } from '../project.ts';
import * as usual from './usual.ts';

/** The goals by row. Rows without a goal are shown, too. */
const GOALS: Record<string, number> = {
  'LightningFS, 1000 files: first snapshot': 5,
  'LightningFS, 1000 files: start of a task, against the stats': 1 / 2,
  'LightningFS, 1000 files: start of a task after a reload, against the stats': 1 / 2,
  'LightningFS, 1000 files: 3 changes, found': 60,
  'LightningFS, 1000 files: 3 changes, found, against statusMatrix': 12,
  'LightningFS, 1000 files: 3 changes, in a run': 100,
  'LightningFS, 1000 files: 3 changes, in a run, calls of the file system': 1,
  'LightningFS, 1000 files: rollback of 6 changes': 4,
  'LightningFS, 3000 files: 3 changes, in a run': 250,
  'OPFS, 1000 files: 3 changes, in a run': 80,
  'OPFS, 1000 files: 3 changes, in a run, calls of the file system': 1,
};

const CALLS_IN_A_RUN = 20;

/** The rows of projects of these sizes. Works in a page and in a worker. */
export async function rowsOf(kind: StoreKind, sizes: number[]): Promise<Row[]> {
  await init();
  const measured = [];
  for (const files of sizes) measured.push(await measure(kind, files));
  const [small, large] = [measured[0]!, measured.at(-1)!];
  // A goal of 0.5 means that it may take twice as long.
  const growth = { name: `${kind}: in a run, at ${sizes.at(-1)} files against at ${sizes[0]}`, ours: large.inRun, theirs: small.inRun, goal: 0.5 };
  return [...measured.flatMap(({ rows }) => rows), growth];
}

async function measure(kind: StoreKind, files: number): Promise<{ rows: Row[]; inRun: number }> {
  const rounds = files > 1000 ? 3 : 5;
  const row = (name: string, ours: number, theirs: number, unit?: 'calls'): Row => {
    const full = `${kind}, ${files} files: ${name}`;
    return { name: full, ours, theirs, ...(unit && { unit }), ...(full in GOALS && { goal: GOALS[full]! }) };
  };
  const [ours, theirs] = [await Project.create(kind, files), await Project.create(kind, files)];

  const first = await compareRounds(1, {
    ours: { work: () => snapshot.save(ours.host, { tag: 'task-1-pre' }) },
    theirs: { work: async () => (await usual.init(theirs), await usual.saveAll(theirs, 'task-1-pre')) },
  });

  const start = await compareRounds(rounds, {
    ours: { prepare: () => ours.change(3), work: () => snapshot.save(ours.host, { tag: `task-${ours.version}-pre` }) },
    stats: { prepare: () => theirs.change(3), work: () => theirs.stats() },
    reloaded: { prepare: async () => (await ours.change(3), await ours.reload()), work: () => snapshot.save(ours.host, { tag: `task-${ours.version}-pre` }) },
    reloadedStats: { prepare: () => theirs.reload(), work: () => theirs.stats() },
  });

  const found = await compareRounds(rounds, {
    ours: { prepare: () => ours.change(3), work: () => snapshot.save(ours.host, { tag: `manual-${ours.version}` }) },
    all: { prepare: () => theirs.change(3), work: () => usual.saveAll(theirs, `manual-${theirs.version}`) },
    changes: { prepare: () => theirs.change(3), work: () => usual.saveChanges(theirs, `manual-${theirs.version}`) },
  });

  // Short and in whole milliseconds, so more of them are measured.
  const inRun = await saveInRun(ours, 9);

  await snapshot.save(ours.host, { tag: 'base' });
  await usual.saveChanges(theirs, 'base');
  const back = await compareRounds(rounds, {
    ours: { prepare: () => ours.change(6), work: () => snapshot.rollback(ours.host, 'base') },
    theirs: { prepare: () => theirs.change(6), work: () => usual.checkout(theirs, 'base') },
  });

  const rows = [
    row('first snapshot', first.ours, first.theirs),
    row('start of a task, against the stats', start.ours, start.stats),
    row('start of a task after a reload, against the stats', start.reloaded, start.reloadedStats),
    row('3 changes, found', found.ours, found.all),
    row('3 changes, found, against statusMatrix', found.ours, found.changes),
    row('3 changes, in a run', inRun.taken, found.all),
    row('3 changes, in a run, calls of the file system', inRun.calls, CALLS_IN_A_RUN, 'calls'),
    row('rollback of 6 changes', back.ours, back.theirs),
  ];
  return { rows, inRun: inRun.taken };
}

/**
 * The medians of a snapshot in a run: its time in microseconds, and its calls of the file system. In every iteration, the agent
 * writes three other files.
 */
async function saveInRun(project: Project, iterations: number): Promise<{ taken: number; calls: number }> {
  const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });
  const model = scriptedModel([
    ...Array.from({ length: iterations + 1 }, (_, number) => ({ toolCalls: project.pick(3, number).map((path) => write(path, `export const now = '${number} ${performance.now()}';\n`)) })),
    { toolCalls: [write('.ralph/summary.md', 'Three files have new contents, as was asked for.')] },
    { toolCalls: [{ name: 'complete_task', args: {} }] },
  ]);
  const run = runLoop({ ...project.host, model, plan: 'off', limits: { maxToolCallsPerIteration: 3 }, work: { kind: 'task', message: 'Give three files new contents' } });
  const saved: Array<{ taken: number; calls: number }> = [];
  let before = 0;
  for await (const event of run) {
    // The snapshot of the first iteration also has the files of the task's start.
    if (event.type === 'snapshot-saved' && /\/iterations\/.*\/(?!1$)/.test(event.snapshot.tag)) {
      saved.push({ taken: event.durationMs * 1000, calls: project.calls - before });
    }
    before = project.calls;
  }
  const { reason, message } = await run.result;
  if (reason !== 'done' || saved.length < iterations) throw new Error(`the run ended with ${reason} after ${saved.length} snapshots: ${message}`);
  return { taken: median(saved.map(({ taken }) => taken)), calls: median(saved.map(({ calls }) => calls)) };
}
