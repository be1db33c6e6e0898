// The records of iterations, as an IDE reads them after a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIterations, runLoop } from 'loopgate';
import { call, notes, project, task } from './project.mjs';

test('the records of a run are read from the files alone', async () => {
  const turns = [call('list_files'), ...notes];
  const { host, fs, read } = await project({ turns });
  const run = runLoop({ ...host, work: task() });
  assert.equal((await run.result).success, true);

  const stored = { fs: host.fs, dir: '/project' };
  const records = await listIterations(stored, { runId: run.id });
  assert.deepEqual(records.map(({ iteration, attempt, role, outcome }) => `${iteration}-${attempt} ${role} ${outcome}`), ['1-1 builder completed']);
  const [{ files, runId, toolCalls, filesChanged, startedAt, endedAt }] = records;
  assert.deepEqual([runId, toolCalls], [run.id, 4]);
  assert.ok(filesChanged.includes('notes.md') && startedAt <= endedAt);
  assert.match(read(files.prompt), /^# System\n[^]*\n# User\n[^]*Write notes/);
  assert.match(read(files.transcript), /call write_file\n```json\n\{"content":"notes","path":"notes.md"\}\n```/);
  assert.equal(JSON.parse(read(files.record)).outcome, 'completed');

  fs.writeFileSync(`/project/${files.record}`, '{');
  assert.deepEqual(await listIterations(stored, { runId: run.id }), []);
  await assert.rejects(listIterations(stored, { runId: '../journal' }), { code: 'invalid-argument' });
  await assert.rejects(listIterations(stored, {}), { code: 'invalid-argument', message: /of\.runId/ });
});

test('the configuration switches the records off', async () => {
  const { host, fs } = await project({ turns: notes });
  const run = runLoop({ ...host, work: task(), config: { records: { iterations: 0 } } });
  assert.equal((await run.result).success, true);
  assert.equal(fs.existsSync('/project/.loopgate/runs'), false);
  assert.deepEqual(await listIterations(host, { runId: run.id }), []);
});
