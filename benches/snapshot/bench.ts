import init, { runLoop, snapshot } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { compareRounds, median, publish, type Row } from '../measure.ts';
import { Project, type StoreKind } from './project.ts';
import * as usual from './usual.ts';

/** The goals by row. Rows without a goal are shown, too. */
const GOALS: Record<string, number> = {
  'LightningFS, 1000 files: first snapshot': 5,
  'LightningFS, 1000 files: 3 changes, found': 60,
  'LightningFS, 1000 files: 3 changes, found, against statusMatrix': 12,
  'LightningFS, 1000 files: 3 changes, in a run': 100,
  'LightningFS, 1000 files: rollback of 6 changes': 8,
  'LightningFS, 3000 files: 3 changes, in a run': 250,
  'OPFS, 1000 files: 3 changes, in a run': 100,
};

const SIZES: Array<[StoreKind, number[]]> = [['LightningFS', [50, 300, 1000, 3000]], ['OPFS', [300, 1000]]];

await init();
const rows: Row[] = [];
const inRun: Record<string, number> = {};
for (const [kind, sizes] of SIZES) {
  for (const files of sizes) rows.push(...(await measure(kind, files)));
  const [small, large] = [inRun[`${kind} 300`]!, inRun[`${kind} ${sizes.at(-1)}`]!];
  // A goal of 0.5 means that it may take twice as long.
  rows.push({ name: `${kind}: in a run, at ${sizes.at(-1)} files against at 300`, ours: large, theirs: small, goal: 0.5 });
}
publish(rows);

async function measure(kind: StoreKind, files: number): Promise<Row[]> {
  const rounds = files > 1000 ? 3 : 5;
  const row = (name: string, ours: number, theirs: number): Row => {
    const full = `${kind}, ${files} files: ${name}`;
    console.log(`${full}: ${(ours / 1000).toFixed(1)} ms, ${(theirs / ours).toPrecision(3)} ×`);
    return { name: full, ours, theirs, ...(full in GOALS && { goal: GOALS[full]! }) };
  };
  const [ours, theirs] = [await Project.create(kind, files), await Project.create(kind, files)];

  const first = await compareRounds(1, {
    ours: { work: () => snapshot.save(ours.host, { tag: 'task-1-pre' }) },
    theirs: { work: async () => (await usual.init(theirs), await usual.saveAll(theirs, 'task-1-pre')) },
  });

  const found = await compareRounds(rounds, {
    ours: { prepare: () => ours.change(3), work: () => snapshot.save(ours.host, { tag: `manual-${ours.version}` }) },
    all: { prepare: () => theirs.change(3), work: () => usual.saveAll(theirs, `manual-${theirs.version}`) },
    changes: { prepare: () => theirs.change(3), work: () => usual.saveChanges(theirs, `manual-${theirs.version}`) },
  });

  // Short and in whole milliseconds, so more of them are measured.
  const taken = await saveInRun(ours, 9);
  inRun[`${kind} ${files}`] = taken;

  await snapshot.save(ours.host, { tag: 'base' });
  await usual.saveChanges(theirs, 'base');
  const back = await compareRounds(rounds, {
    ours: { prepare: () => ours.change(6), work: () => snapshot.rollback(ours.host, 'base') },
    theirs: { prepare: () => theirs.change(6), work: () => usual.checkout(theirs, 'base') },
  });

  return [
    row('first snapshot', first.ours, first.theirs),
    row('3 changes, found', found.ours, found.all),
    row('3 changes, found, against statusMatrix', found.ours, found.changes),
    row('3 changes, in a run', taken, found.all),
    row('rollback of 6 changes', back.ours, back.theirs),
  ];
}

/** The median time of a snapshot in a run, in microseconds. In every iteration, the agent writes three files. */
async function saveInRun(project: Project, iterations: number): Promise<number> {
  const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });
  const model = scriptedModel([
    ...Array.from({ length: iterations + 1 }, (_, number) => ({ toolCalls: project.paths.slice(0, 3).map((path) => write(path, `export const now = '${number} ${performance.now()}';\n`)) })),
    { toolCalls: [write('.ralph/summary.md', 'Three files have new contents, as was asked for.')] },
    { toolCalls: [{ name: 'complete_task', args: {} }] },
  ]);
  const run = runLoop({ ...project.host, model, plan: 'off', limits: { maxToolCallsPerIteration: 3 }, work: { kind: 'task', message: 'Give three files new contents' } });
  const taken: number[] = [];
  for await (const event of run) {
    // The snapshot of the first iteration also has the files of the task's start.
    if (event.type === 'snapshot-saved' && /\/iterations\/.*\/(?!1$)/.test(event.snapshot.tag)) taken.push(event.durationMs * 1000);
  }
  const { reason, message } = await run.result;
  if (reason !== 'done' || taken.length < iterations) throw new Error(`the run ended with ${reason} after ${taken.length} snapshots: ${message}`);
  return median(taken);
}
