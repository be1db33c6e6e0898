// Counts the tests of all suites from their logs. The last line is `N passed, M failed`.
//
//   node scripts/tally.mjs FOLDER SUITE…     reads FOLDER/SUITE.log and FOLDER/SUITE.json
//
// Fails if a test failed, a suite has a bad exit code, or a suite ran no test.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

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

/** Why a suite failed, or null. `status` is its exit code. */
export function complaint({ passed, failed }, status) {
  if (failed > 0) return `${failed} failed`;
  if (status !== 0) return `exit code ${status} without a failed test`;
  if (passed === 0) return 'ran no test';
  return null;
}

/** The last line. A suite that failed without a failed test counts as one failure. */
export function closingLine(suites) {
  const sum = (key) => suites.reduce((total, suite) => total + suite.counts[key], 0);
  const silent = suites.filter((suite) => suite.complaint && suite.counts.failed === 0).length;
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed') + silent} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

function readSuite(folder, name) {
  const log = join(folder, `${name}.log`);
  const end = join(folder, `${name}.json`);
  const counts = count(read(log));
  const { status, seconds } = existsSync(end) ? JSON.parse(readFileSync(end, 'utf8')) : { status: 1, seconds: 0 };
  return { name, log, seconds, counts, complaint: complaint(counts, status) };
}

const read = (log) => (existsSync(log) ? readFileSync(log, 'utf8') : '');

/** The failed tests as their runner lists them, or the end of the log. */
export function whatWentWrong(log, { failures = 150, end = 40 } = {}) {
  const lines = stripVTControlCharacters(log).trimEnd().split('\n');
  const list = lines.findIndex((line) => /^\s*(failures:|✖ failing tests:)$/u.test(line));
  return (list < 0 ? lines.slice(-end) : lines.slice(list, list + failures)).join('\n');
}

function main([folder, ...names]) {
  const suites = names.map((name) => readSuite(folder, name));
  for (const { name, log } of suites.filter((suite) => suite.complaint)) {
    console.log(`\nWhat went wrong in ${name}:\n${whatWentWrong(read(log))}`);
  }
  console.log();
  for (const { name, seconds, counts, complaint } of suites) {
    console.log(`${name.padEnd(12)}${String(counts.passed).padStart(6)} passed ${String(seconds).padStart(5)} s  ${complaint ?? ''}`);
  }
  console.log(`\n${closingLine(suites)}`);
  exit(suites.length > 0 && suites.every((suite) => !suite.complaint) ? 0 : 1);
}

if (import.meta.url === pathToFileURL(argv[1]).href) main(argv.slice(2));
