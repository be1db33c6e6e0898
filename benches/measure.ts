/** The times of both sides, in microseconds, or counts of calls. */
export interface Row {
  name: string;
  unit?: 'calls';
  ours: number;
  theirs: number;
  /** The required factor between both sides. */
  goal?: number;
}

/** One side of work with side effects. `prepare` is not measured. */
export interface Side {
  prepare?(): Promise<unknown>;
  work(): Promise<unknown>;
}

const ROUND_MS = 20;
const ROUNDS = 31;

/** The first call of each side. Ours is first, so that it pays for shared costs. */
export function compareFirst(name: string, ours: () => unknown, theirs: () => unknown): Row {
  return { name, ours: timeOf(ours, 1), theirs: timeOf(theirs, 1) };
}

/** The median over alternating rounds, after the same number of rounds to warm up. */
export function compareWarm(name: string, ours: () => unknown, theirs: () => unknown): Row {
  const calls = [callsPerRound(ours), callsPerRound(theirs)] as const;
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const taken = [timeOf(ours, calls[0]), timeOf(theirs, calls[1])] as const;
    if (round < ROUNDS) continue;
    times[0].push(taken[0]);
    times[1].push(taken[1]);
  }
  return { name, ours: median(times[0]), theirs: median(times[1]) };
}

/** The same for asynchronous work. */
export async function compareWarmAsync(name: string, ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<Row> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const taken = [await timeOfAsync(ours), await timeOfAsync(theirs)] as const;
    if (round < ROUNDS) continue;
    times[0].push(taken[0]);
    times[1].push(taken[1]);
  }
  return { name, ours: median(times[0]), theirs: median(times[1]) };
}

/** The medians over alternating rounds of work that needs a `prepare` before each call. */
export async function compareRounds<Name extends string>(rounds: number, sides: Record<Name, Side>): Promise<Record<Name, number>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { prepare, work }] of Object.entries<Side>(sides)) {
      await prepare?.();
      const start = performance.now();
      await work();
      times.set(name, [...(times.get(name) ?? []), (performance.now() - start) * 1000]);
    }
  }
  return Object.fromEntries([...times].map(([name, taken]) => [name, median(taken)])) as Record<Name, number>;
}

/** Microseconds of the longest task on this thread while `work` runs. */
export async function longestTask(work: () => Promise<unknown>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let [last, longest, isRunning] = [performance.now(), 0, true];
  port1.onmessage = () => {
    const now = performance.now();
    [longest, last] = [Math.max(longest, now - last), now];
    if (isRunning) port2.postMessage(null);
  };
  port2.postMessage(null);
  await work();
  isRunning = false;
  port1.close();
  return longest * 1000;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Passes the rows to `run.mjs`. */
export function publish(rows: Row[]): void {
  (globalThis as { publishRows?: (rows: Row[]) => void }).publishRows?.(rows);
}

/** Microseconds per call. The result is used, so that the compiler cannot remove a call. */
function timeOf(work: () => unknown, calls: number): number {
  let last: unknown;
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) last = work();
  const end = performance.now();
  if (last === undefined) throw new Error('a bench measures work that gives a result');
  return ((end - start) * 1000) / calls;
}

/** Microseconds of one call that is much longer than the clock's resolution. */
async function timeOfAsync(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  const result = await work();
  const end = performance.now();
  if (result === undefined) throw new Error('a bench measures work that gives a result');
  return (end - start) * 1000;
}

function callsPerRound(work: () => unknown): number {
  let calls = 1;
  while (timeOf(work, calls) * calls < ROUND_MS * 1000) calls *= 2;
  return calls;
}
