import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { backupTitle, nameOf, versionsFrom } = await load('snapshots/versions.ts');

const info = (kind, runId, tag, at, message = tag, label = {}) => ({ kind, ...(runId && { runId }), tag, message, at, tree: tag, oid: tag, files: 1, changed: 1, ...label });
const menu = info('pre', 'a', 'task-1-pre', 1, 'pre-task: Add a menu');

test('the snapshots before and after a task are one version with the name of the task', () => {
  const { versions, backups } = versionsFrom([menu, info('post', 'a', 'task-1-post', 2, 'task-1: Add a menu'), info('pre', 'b', 'task-2-pre', 3, 'pre-task: Make it dark'), info('post', 'b', 'task-2-post', 4, 'post-task: Make it dark')]);
  assert.deepEqual(versions.map(({ number, title, tag, before }) => [number, title, tag, before]), [
    [2, 'Make it dark', 'task-2-post', 'task-2-pre'],
    [1, 'Add a menu', 'task-1-post', 'task-1-pre'],
    [undefined, 'Start of the project', 'task-1-pre', undefined],
  ]);
  assert.deepEqual(versions.map(nameOf), ['version 2', 'version 1', 'the start of the project']);
  assert.deepEqual(backups, []);
});

test('a task without a result has no number, and its files before it can be restored', () => {
  const [{ title, number, tag, before }] = versionsFrom([menu]).versions;
  assert.deepEqual([title, number, tag, before], ['Add a menu', undefined, undefined, 'task-1-pre']);
});

test('each spec of a run, the chunks of a spec and what the user saved are versions', () => {
  const { versions } = versionsFrom([
    info('base', 'a', 'spec/0001-cart/base', 1), info('post', 'a', 'spec/0001-cart/done', 2), info('base', 'a', 'spec/0002-menu/base', 3), info('post', 'a', 'spec/0002-menu/done', 4),
    info('pre', 'b', 'chunks/checkout/pre', 5, 'before the chunks of checkout'), info('base', 'b', 'chunks/checkout/order/base', 6), info('manual', null, 'manual-7', 7, 'manual-7', { name: 'Before the demo' }),
  ]);
  assert.deepEqual(versions.map(({ title, tag, before }) => [title, tag, before]), [
    ['Before the demo', 'manual-7', undefined],
    ['checkout', undefined, 'chunks/checkout/pre'],
    ['0002-menu', 'spec/0002-menu/done', 'spec/0002-menu/base'],
    ['0001-cart', 'spec/0001-cart/done', 'spec/0001-cart/base'],
    ['Start of the project', 'spec/0001-cart/base', undefined],
  ]);
});

test('what was saved automatically is a backup, named by the version that was restored', () => {
  const { versions, backups } = versionsFrom([
    menu, info('base', 'a', 'stall-1-recovery', 2, 'stall 1'), info('base', 'a', 'chunks/checkout/order/base', 2.2, 'before attempt 1 at order'), info('manual', 'a', 'manual-2', 2.4, 'saved by the agent'),
    info('undo', 'a', 'manual-2.5', 2.5, 'before the attempt is taken back'), info('undo', null, 'manual-3', 3, 'before the rollback to task-1-pre'), info('undo', null, 'manual-4', 4, 'before the rollback to manual-3'),
  ]);
  assert.deepEqual(backups.map((backup) => backupTitle(backup, versions)), ['Before a restore', 'Before restoring “Start of the project”', 'before the attempt is taken back', 'saved by the agent', 'Before the work on checkout, step order', 'When task 1 got stuck']);
});

test('a name replaces the title, and a backup with a name or a pin is a version without a number', () => {
  const { versions, backups } = versionsFrom([menu, info('post', 'a', 'task-1-post', 2, 'task-1-post', { name: 'The good one', pinned: true }), info('undo', null, 'manual-3', 3, 'before the rollback to task-1-pre', { pinned: true }), info('manual', null, 'manual-4', 4, 'Saved')]);
  assert.deepEqual(versions.map(({ number, title, pinned }) => [number, title, pinned]), [
    [2, 'Saved', undefined], [undefined, 'Before restoring “Start of the project”', true], [1, 'The good one', true], [undefined, 'Start of the project', undefined],
  ]);
  assert.deepEqual(backups, []);
});
