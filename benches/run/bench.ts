import init, { runLoop, type ModelPort, type RunEvent } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { longestTask, median, publish, type Row } from '../measure.ts';
import { Project, type StoreKind } from '../project.ts';

const FILES = 1000;
const CALLS = 40;
const ITERATIONS = 8;
const LONGEST_TASK_US = 50_000;
const START_CALLS = 150;
const START_US = 500_000;

type Answer = { toolCalls: Array<{ name: string; args: object }> };
type Timed = { event: RunEvent; at: number; calls: number };

await init();
const rows: Row[] = [];
for (const kind of ['LightningFS', 'OPFS'] as const) rows.push(...(await toolCalls(kind)), ...(await iterations(kind)), ...(await starts(kind)));
publish(rows);

/** One answer with many `write_file` calls, against the same writes without loopgate. */
async function toolCalls(kind: StoreKind): Promise<Row[]> {
  const project = await Project.create(kind, FILES);
  const paths = project.pick(CALLS, 1);
  const content = 'x'.repeat(120);
  const events = await run(project, [{ toolCalls: paths.map((path) => write(path, content)) }]);
  const starts = events.filter(({ event }) => event.type === 'tool-call').slice(0, CALLS);
  const between = starts.slice(1).map((start, at) => ({ taken: start.at - starts[at]!.at, calls: start.calls - starts[at]!.calls }));
  const bare: number[] = [];
  for (const path of paths) {
    const start = performance.now();
    await project.write(path, `${content}.`);
    bare.push((performance.now() - start) * 1000);
  }
  const name = `${kind}, ${FILES} files: a write_file call`;
  return [
    { name: `${name}, against the bare write`, ours: median(between.map(({ taken }) => taken)), theirs: median(bare), goal: 1 / 4 },
    { name: `${name}, calls of the file system`, unit: 'calls', ours: median(between.map(({ calls }) => calls)), theirs: 6, goal: 1 },
  ];
}

/** The longest task on the page while iterations start and end, against the length from which users notice it. */
async function iterations(kind: StoreKind): Promise<Row[]> {
  const project = await Project.create(kind, FILES);
  const answers = Array.from({ length: ITERATIONS }, (_, version) => ({ toolCalls: project.pick(3, version).map((path) => write(path, `export const now = ${version};\n`)) }));
  const longest = await longestTask(() => run(project, answers, 3));
  return [{ name: `${kind}, ${FILES} files: the longest task in ${ITERATIONS} iterations`, ours: longest, theirs: LONGEST_TASK_US, goal: 1 }];
}

/** The calls of the file system before the first call of the model, after few and after many runs. */
async function starts(kind: StoreKind): Promise<Row[]> {
  const project = await Project.create(kind, 2);
  const config = { runs: { keep: 1000 } };
  const work = { kind: 'task', message: 'Give the files new contents' } as const;
  const rows: Row[] = [];
  let ran = 0;
  for (const runs of [10, 500]) {
    for (; ran < runs; ran += 1) await runLoop({ ...project.host, model: scriptedModel([]), config, plan: 'off', signal: AbortSignal.abort(), work }).result;
    const [before, begin] = [project.calls, performance.now()];
    let first: { calls: number; us: number } | undefined;
    const model: ModelPort = async () => {
      first ??= { calls: project.calls - before, us: (performance.now() - begin) * 1000 };
      throw new Error('one call is enough');
    };
    await runLoop({ ...project.host, model, config, plan: 'off', work }).result.catch(() => undefined);
    ran += 1;
    if (!first) throw new Error('the model was not called');
    rows.push({ name: `${kind}, after ${runs} runs: a start, calls of the file system`, unit: 'calls', ours: first.calls, theirs: START_CALLS, goal: 1 });
    rows.push({ name: `${kind}, after ${runs} runs: a start, to the first call of the model`, ours: first.us, theirs: START_US, goal: 1 });
  }
  return rows;
}

function write(path: string, content: string): { name: string; args: object } {
  return { name: 'write_file', args: { path, content } };
}

async function run(project: Project, answers: Answer[], maxToolCallsPerIteration = CALLS): Promise<Timed[]> {
  const model = scriptedModel([...answers, { toolCalls: [write('.ralph/summary.md', 'The files have new contents, as requested.')] }, { toolCalls: [{ name: 'complete_task', args: {} }] }]);
  const limits = { maxToolCallsPerIteration };
  const loop = runLoop({ ...project.host, model, plan: 'off', limits, work: { kind: 'task', message: 'Give the files new contents' } });
  const events: Timed[] = [];
  for await (const event of loop) events.push({ event, at: performance.now() * 1000, calls: project.calls });
  const { reason, message } = await loop.result;
  if (reason !== 'done') throw new Error(`the run ended with ${reason}: ${message}`);
  return events;
}
