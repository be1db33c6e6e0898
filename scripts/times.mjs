// Where the time of a run of the suites went: the tests of a suite that take longest, and the steps that became slower.
import { stripVTControlCharacters } from 'node:util';

/** How many tests of a suite are named. */
const SLOWEST = 20;

/** A step is named if it uses this many times the processor seconds of the last record, and some seconds more. */
const SLOWER = 1.2;
const NOISE_SECONDS = 3;

/** Reads the duration of each test from the lines of a log as they arrive. */
export class TestTimes {
  #tests = [];
  #groups = new Set();
  #last = 0;

  /** `at`: milliseconds since the start. A line without a duration took the time since the line of the test before. */
  read(line, at) {
    const text = stripVTControlCharacters(line);
    const rust = text.match(/^test (.+?) \.\.\. \w+(?: <([\d.]+)s>)?$/);
    if (rust) {
      this.#tests.push({ name: rust[1], seconds: rust[2] ? Number(rust[2]) : (at - this.#last) / 1000 });
      this.#last = at;
      return;
    }
    if (/^running \d+ tests?$/.test(text)) this.#last = at;
    const group = text.match(/^\s*▶ (.+)$/u);
    if (group) this.#groups.add(group[1]);
    const node = text.match(/^\s*[✔✖] (.+) \(([\d.]+)ms\)$/u);
    if (node && !this.#groups.has(node[1])) this.#tests.push({ name: node[1], seconds: Number(node[2]) / 1000 });
  }

  slowest() {
    const names = new Set();
    // Failed tests are listed twice.
    const once = this.#tests.filter(({ name, seconds }) => !names.has(`${name} ${seconds}`) && names.add(`${name} ${seconds}`));
    return once.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  }
}

/** One line per step that needs more processor time than in the last record. */
export function slower(steps, recorded) {
  const lines = [];
  for (const { name, cpu } of steps) {
    const before = recorded?.steps?.find((step) => step.name === name)?.cpu;
    if (before && cpu > before * SLOWER && cpu > before + NOISE_SECONDS) {
      lines.push(`${name} uses ${cpu.toFixed(0)} s of processor time, ${Math.round((cpu / before - 1) * 100)} % more than the ${before.toFixed(0)} s of the last record`);
    }
  }
  return lines;
}

/** The slowest tests of all steps, as lines. */
export function slowestTests(steps) {
  return steps
    .filter(({ slowest }) => slowest?.length > 0)
    .flatMap(({ name, slowest }) => [`\nSlowest of ${name}:`, ...slowest.map(({ name: test, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${test}`)]);
}
