// Counts the tests of all steps from their logs, and reports the run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { slower, slowestTests } from './times.mjs';

/** The times of the last complete run on this machine. */
const RECORD = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loopgate/times.json');

/** Whether a step is a suite of tests. */
export const isTest = ({ name }) => name.startsWith('test-');

/** Counts the results of cargo, wasm-bindgen-test and `node --test` in a log. */
export function count(log) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const line of stripVTControlCharacters(log).split('\n')) {
    const cargo = line.match(/^\s*test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/);
    if (cargo) {
      total.passed += Number(cargo[1]);
      total.failed += Number(cargo[2]);
      total.skipped += Number(cargo[3]);
    }
    const node = line.match(/^(?:#|ℹ) (pass|fail|cancelled|skipped|todo) (\d+)$/u);
    if (node) total[NODE_COUNTS[node[1]]] += Number(node[2]);
  }
  return total;
}

const NODE_COUNTS = { pass: 'passed', fail: 'failed', cancelled: 'failed', skipped: 'skipped', todo: 'skipped' };

/** Why a step failed, or null. */
export function complaint(step) {
  const { counts, status, note } = step;
  if (note) return note;
  if (counts.failed > 0) return `${counts.failed} failed`;
  if (status !== 0) return `exit code ${status}${isTest(step) ? ' without a failed test' : ''}`;
  if (isTest(step) && counts.passed === 0) return 'ran no test';
  return null;
}

/** The last line. A step that failed without a failed test counts as one failure. */
export function closingLine(steps) {
  const sum = (key) => steps.reduce((total, { counts }) => total + counts[key], 0);
  const silent = steps.filter((step) => complaint(step) && step.counts.failed === 0).length;
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed') + silent} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

/** The failed tests as their runner lists them, or the end of the log. */
export function whatWentWrong(log, { failures = 150, end = 40 } = {}) {
  const lines = stripVTControlCharacters(log).trimEnd().split('\n');
  const list = lines.findIndex((line) => /^\s*(failures:|✖ failing tests:)$/u.test(line));
  return (list < 0 ? lines.slice(-end) : lines.slice(list, list + failures)).join('\n');
}

/**
 * Prints the failures, the times and the closing line, and writes `times.json` into the folder. A complete run that passed
 * becomes the record. Returns whether everything passed.
 */
export function report(steps, { folder, isWhole, record = RECORD }) {
  for (const step of steps.filter(complaint)) console.log(`\nWhat went wrong in ${step.name}:\n${whatWentWrong(step.log)}`);
  const times = { steps: steps.map(({ name, wall, cpu, counts, slowest = [] }) => ({ name, wall: round(wall), cpu: round(cpu), tests: counts.passed + counts.failed, slowest })) };
  writeFileSync(join(folder, 'times.json'), `${JSON.stringify(times, null, 1)}\n`);
  for (const line of slowestTests(times.steps)) console.log(line);
  console.log(`\n${'step'.padEnd(20)}${'passed'.padStart(7)}${'wall s'.padStart(8)}${'CPU s'.padStart(8)}`);
  for (const step of steps) {
    const tests = isTest(step) ? String(step.counts.passed) : '';
    console.log(`${step.name.padEnd(20)}${tests.padStart(7)}${step.wall.toFixed(0).padStart(8)}${step.cpu.toFixed(0).padStart(8)}  ${complaint(step) ?? ''}`.trimEnd());
  }
  for (const line of slower(times.steps, existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : null)) console.log(line);
  const passed = steps.length > 0 && steps.every((step) => !complaint(step));
  if (passed && isWhole) {
    mkdirSync(dirname(record), { recursive: true });
    writeFileSync(record, JSON.stringify(times));
  }
  console.log(`\n${closingLine(steps)}`);
  return passed;
}

const round = (seconds) => Math.round(seconds * 10) / 10;
