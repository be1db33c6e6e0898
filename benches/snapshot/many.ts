import init, { snapshot } from 'loopgate';
import { median, type Row } from '../measure.ts';
import { Project, type StoreKind } from '../project.ts';
import * as usual from './usual.ts';

const COUNTS = [10, 500];
const ROUNDS = 5;

/** A list and a save beside few and many snapshots: their times, and their calls of the file system with git's. */
export async function rowsOfMany(kind: StoreKind): Promise<Row[]> {
  await init();
  const measured = [];
  for (const count of COUNTS) measured.push(await measure(kind, count));
  const [few, many] = [measured[0]!, measured[1]!];
  const grows = (what: string, ours: number, theirs: number): Row => ({ name: `${kind}: ${what}, beside ${COUNTS[1]} snapshots against beside ${COUNTS[0]}`, unit: 'calls', ours, theirs, goal: 0.9 });
  const times = measured.map(({ list, all }, at): Row => ({ name: `${kind}: list of ${COUNTS[at]} snapshots`, ours: list, theirs: all }));
  return [...times, grows('list', many.listCalls, few.listCalls), grows('save', many.saveCalls, few.saveCalls)];
}

async function measure(kind: StoreKind, count: number): Promise<{ list: number; all: number; listCalls: number; saveCalls: number }> {
  const project = await Project.create(kind, 20);
  for (let number = 0; number < count; number += 1) {
    await project.change(1);
    await snapshot.save(project.host);
  }
  const times: { list: number[]; all: number[] } = { list: [], all: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.list.push(await taken(() => snapshot.list(project.host)));
    times.all.push(await taken(() => usual.listAll(project)));
  }
  const before = project.allCalls;
  await snapshot.list(project.host);
  const listed = project.allCalls;
  await project.change(1);
  const changed = project.allCalls;
  await snapshot.save(project.host);
  return { list: median(times.list), all: median(times.all), listCalls: listed - before, saveCalls: project.allCalls - changed };
}

/** In microseconds. */
async function taken(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}
