import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { announce, announcement } = await load('ui/announce.ts');
const { spoken } = await load('run/describe.ts');

test('a repeated announcement differs from the last one', () => {
  const seen = ['Saved', 'Saved', 'Saved', 'Undone'].map((text) => {
    announce(text);
    return announcement.value;
  });
  assert.ok(seen.every((text, at) => text !== seen[at - 1]));
  assert.deepEqual(seen.map((text) => text.trim()), ['Saved', 'Saved', 'Saved', 'Undone']);
});

test('important events of a batch are announced together', () => {
  const gate = (verdict) => ({ type: 'gate-checked', report: { gate: 'theme', verdict, durationMs: 1 } });
  const phase = { type: 'phase-changed', from: 'build', to: 'check', why: 'the agent stopped' };
  assert.equal(spoken([phase, gate('pass'), { type: 'status', text: 'on' }, gate('fail')]), 'Checking: the agent stopped; Check failed: theme');
  assert.equal(spoken([gate('pass')]), '');
});
