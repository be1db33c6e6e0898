// Runs the test suites with the builds that they need, three steps at a time, and prints the number of tests and where the
// time went.
//
//   node scripts/suites.mjs [--lint] [SUITE…]     without names: every suite; --lint: the lints beside them
//
// The last line is `N passed, M failed`. Fails if a test failed, a step has a bad exit code, or a suite ran no test. A step that
// fails does not stop the others, except those that need what it builds.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { argv, env, exit } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { count, isTest, report } from './tally.mjs';
import { TestTimes } from './times.mjs';

/**
 * Every step, named as its target of make. The first one whose needs are met starts next: what others wait for, then the longest.
 */
export const STEPS = [
  { name: 'build-package' },
  { name: 'build-tests-native' },
  { name: 'build-demo', needs: ['build-package'] },
  { name: 'build-tests-wasm' },
  { name: 'test-native', needs: ['build-tests-native'] },
  { name: 'test-e2e-chromium', needs: ['build-demo'] },
  { name: 'test-e2e-firefox', needs: ['build-demo'] },
  { name: 'test-package', needs: ['build-package'] },
  { name: 'lint-crate', isLint: true },
  { name: 'test-wasm', needs: ['build-tests-wasm'] },
  { name: 'test-firefox', needs: ['build-tests-wasm'] },
  { name: 'test-chromium', needs: ['build-tests-wasm'] },
  { name: 'test-e2e-webkit', needs: ['build-demo'] },
  { name: 'test-demo', needs: ['build-demo'] },
  { name: 'test-scripts', needs: ['build-package'] },
  { name: 'lint-package', needs: ['build-package'], isLint: true },
];

/** The tests of the bindings, whose driver waits without an end for a browser that hangs while it loads the page. */
const DRIVEN = ['test-firefox', 'test-chromium'];

/** A guard against that hang, not a limit of the tests. */
const HANGS_AFTER_MS = Number(env.BROWSER_LIMIT_MS ?? 15 * 60_000);

const AT_A_TIME = 3;

/** The steps for these suites, with everything that they need. */
export function selection(suites, withLint = false, steps = STEPS) {
  const unknown = suites.filter((suite) => !steps.some(({ name }) => name === `test-${suite}`));
  if (unknown.length > 0) throw new Error(`unknown suite ${unknown.join(', ')}: use ${steps.filter(isTest).map(({ name }) => name.slice(5)).join(', ')}`);
  const wanted = new Set();
  const want = (step) => {
    for (const need of step.needs ?? []) want(steps.find(({ name }) => name === need));
    wanted.add(step.name);
  };
  for (const step of steps) {
    if (step.isLint ? withLint : isTest(step) && (suites.length === 0 || suites.includes(step.name.slice(5)))) want(step);
  }
  return steps.filter(({ name }) => wanted.has(name));
}

/** The next step to start, given the ends of others; `'failed'` for a step whose needs failed. */
export function next(steps, states) {
  const state = (name) => states.get(name) ?? 'waiting';
  const isWaiting = ({ name }) => state(name) === 'waiting';
  const lost = steps.find((step) => isWaiting(step) && (step.needs ?? []).some((need) => state(need) === 'failed'));
  if (lost) return { step: lost, skip: lost.needs.find((need) => state(need) === 'failed') };
  const step = steps.find((step) => isWaiting(step) && (step.needs ?? []).every((need) => state(need) === 'passed'));
  return step && { step };
}

/** Runs the steps and returns their results in the order of the list. */
async function runAll(steps, folder) {
  const states = new Map();
  const results = new Map();
  const running = new Map();
  const settle = (name, result) => {
    states.set(name, result.status === 0 ? 'passed' : 'failed');
    results.set(name, { name, wall: 0, cpu: 0, log: '', ...result });
  };
  let stopped = null;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      stopped = signal;
      console.log(`\nstopped by ${signal} during ${[...running.keys()].join(', ')}`);
      for (const child of running.values()) end(child);
    });
  }
  await new Promise((resolve) => {
    const advance = () => {
      for (let found; !stopped && running.size < AT_A_TIME && (found = next(steps, states)); ) {
        const { name } = found.step;
        if (found.skip) {
          settle(name, { status: 1, note: `not run, because ${found.skip} failed` });
          continue;
        }
        states.set(name, 'running');
        running.set(name, null);
        run(found.step, folder, running).then((result) => {
          running.delete(name);
          settle(name, stopped ? { ...result, status: 1, note: 'stopped' } : result);
          advance();
        });
      }
      if (running.size === 0) resolve();
    };
    advance();
  });
  for (const { name } of steps) if (!results.has(name)) settle(name, { status: 1, note: 'stopped' });
  return steps.map(({ name }) => results.get(name));
}

/** Runs one step, again if its browser failed before it had a result. */
async function run(step, folder, running) {
  const label = step.name.replace(/^test-/, '');
  console.log(`[${label}] ==> started`);
  let result = await attempt(step, label, folder, running);
  for (let retry = 1; retry <= 2 && browserFailed(step, result); retry++) {
    console.log(`[${label}] ==> the browser failed without a test result: retrying`);
    renameSync(`${folder}/${label}.log`, `${folder}/${label}.${retry}.log`);
    result = await attempt(step, label, folder, running);
  }
  console.log(`[${label}] <== ${result.status === 0 ? 'passed' : 'FAILED'} after ${Math.round(result.wall)} s`);
  return result;
}

/** The browser did not start, or ended without a result, so the crate is not at fault. */
function browserFailed({ name }, { status, log }) {
  return status !== 0 && DRIVEN.includes(name) && log.includes('Running headless tests') && !log.includes('test result: FAILED');
}

function attempt({ name }, label, folder, running) {
  const start = performance.now();
  const times = new TestTimes();
  // The shell adds up the processor time of everything that the step started.
  const script = 'TIMEFORMAT="CPU seconds: %U %S"; time "$@"';
  const child = spawn('bash', ['-c', script, 'step', env.MAKE ?? 'make', '--no-print-directory', name], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.set(name, child);
  const guard = DRIVEN.includes(name) ? setTimeout(() => end(child), HANGS_AFTER_MS) : undefined;
  const file = createWriteStream(`${folder}/${label}.log`);
  const lines = [];
  let cpu = 0;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      const used = line.match(/^CPU seconds: ([\d.]+) ([\d.]+)$/);
      if (used) return void (cpu = Number(used[1]) + Number(used[2]));
      times.read(line, performance.now() - start);
      lines.push(line);
      file.write(`${line}\n`);
      console.log(`[${label}] ${line}`);
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(guard);
      const result = { name, status: code ?? 1, wall: (performance.now() - start) / 1000, cpu, log: lines.join('\n'), slowest: times.slowest() };
      file.end(() => resolve(result));
    });
  });
}

/** Ends a step with everything that it started. */
function end(child) {
  if (!child) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function main(words) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  process.chdir(root);
  const folder = 'target/suites';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const suites = words.filter((word) => word !== '--lint');
  const steps = selection(suites, words.includes('--lint'));
  const results = (await runAll(steps, folder)).map((result) => ({ ...result, counts: count(result.log) }));
  exit(report(results, { folder, isWhole: suites.length === 0 }) ? 0 : 1);
}

if (import.meta.url === pathToFileURL(argv[1]).href) await main(argv.slice(2));
