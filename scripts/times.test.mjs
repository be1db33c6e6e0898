import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTimes, slower } from './times.mjs';

function slowest(...lines) {
  const times = new TestTimes();
  lines.forEach((line, at) => times.read(line, at * 1000));
  return times.slowest().map(({ name, seconds }) => `${name}: ${seconds}`);
}

test('reads the durations of cargo and of node', () => {
  assert.deepEqual(slowest('running 2 tests', 'test a::b ... ok <0.250s>', 'test c ... FAILED <2.000s>'), ['c: 2', 'a::b: 0.25']);
  assert.deepEqual(slowest('\u001b[32m✔ a test (1.2) \u001b[90m(1500.5ms)\u001b[39m', '✖ another (20ms)', '✖ another (20ms)'), ['a test (1.2): 1.5005', 'another: 0.02']);
});

test('a group of tests is no test', () => {
  assert.deepEqual(slowest('▶ all in chromium', '  ✔ one (1000ms)', '✔ all in chromium (1200ms)'), ['one: 1']);
});

test('a line without a duration took the time since the test before', () => {
  assert.deepEqual(slowest('running 2 tests', 'test a ... ok', 'a word', 'test b ... ok'), ['b: 2', 'a: 1']);
});

test('at most twenty tests are named', () => {
  assert.equal(slowest(...Array.from({ length: 30 }, (_, at) => `test t${at} ... ok <1.000s>`)).length, 20);
});

test('a step with a fifth more processor time is named, noise is not', () => {
  const recorded = { steps: [{ name: 'a', cpu: 100 }, { name: 'b', cpu: 1 }] };
  assert.deepEqual(slower([{ name: 'a', cpu: 119 }, { name: 'b', cpu: 3 }, { name: 'c', cpu: 900 }], recorded), []);
  assert.match(slower([{ name: 'a', cpu: 130 }], recorded).join(), /^a uses 130 s of processor time, 30 % more than the 100 s/);
  assert.deepEqual(slower([{ name: 'a', cpu: 130 }], null), []);
});
