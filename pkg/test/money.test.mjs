import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, runLoop } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { project, task } from './project.mjs';

const MILLION = { inputTokens: 1_000_000, outputTokens: 0 };
const limits = { maxCostUsd: 10 };

/** A run whose model reads a file in every turn; each answer has these fields. */
async function spend(answer, options) {
  const model = scriptedModel(Array.from({ length: 12 }, () => ({ toolCalls: [{ name: 'read_file', args: { path: 'README.md' } }], ...answer })));
  const { host } = await project({ model });
  const run = runLoop({ ...host, work: task(), limits, ...options });
  return { ...(await run.result), calls: model.requests.length };
}

test('`maxCostUsd` without prices is refused before the first call', async () => {
  const { host, model } = await project({ turns: ['done'] });
  for (const prices of [undefined, null]) {
    assert.throws(
      () => runLoop({ ...host, work: task(), limits, prices }),
      (error) => error instanceof LoopgateError && error.code === 'invalid-argument' && ['limits.maxCostUsd', 'host.prices', 'inputPerMillion: 3', 'prices: {}'].every((words) => error.message.includes(words)),
    );
  }
  assert.equal(model.requests.length, 0);
  assert.equal((await runLoop({ ...host, work: task(), limits: { maxCostUsd: Infinity, maxIterations: 1 } }).result).iterations, 1);
});

test('invalid prices are refused with their path', async () => {
  const { host } = await project();
  for (const [prices, words] of [
    [3, /`prices`.*an object/],
    [[], /an object/],
    [{ m: { inputPerMillion: 3 } }, /outputPerMillion.*`m`/],
    [{ m: { inputPerMillion: -3, outputPerMillion: 1 } }, /`m.inputPerMillion`/],
    [{ m: { inputPerMillion: NaN, outputPerMillion: 1 } }, /`m.inputPerMillion`/],
  ]) {
    assert.throws(() => runLoop({ ...host, work: task(), prices }), (error) => error.code === 'invalid-argument' && words.test(error.message));
  }
});

test('a run stops before the call that would exceed `maxCostUsd`', async () => {
  const record = { m: { inputPerMillion: 3, outputPerMillion: 15 }, other: { inputPerMillion: 9, outputPerMillion: 9 } };
  const seen = [];
  const byFunction = (usage, model) => {
    seen.push([usage.inputTokens, model]);
    return 3;
  };
  for (const prices of [record, byFunction]) {
    const { reason, message, usage, calls } = await spend({ usage: MILLION, model: 'm' }, { prices });
    assert.deepEqual([reason, calls, usage.costUsd], ['budget', 3, 9]);
    assert.match(message, /maxCostUsd 9 of 10/);
  }
  assert.deepEqual(seen.at(-1), [1_000_000, 'm']);
});

test('`costUsd` of an answer takes precedence over prices', async () => {
  for (const prices of [{}, () => undefined, { m: { inputPerMillion: 100, outputPerMillion: 100 } }]) {
    const { reason, calls, usage } = await spend({ usage: { ...MILLION, costUsd: 4 }, model: 'm' }, { prices });
    assert.deepEqual([reason, calls, usage.costUsd], ['budget', 2, 8]);
  }
});

test('an answer with unknown cost stops the run before the next call', async (t) => {
  t.mock.method(console, 'error', () => {});
  const throws = () => {
    throw new Error('no such model');
  };
  for (const prices of [{}, { other: { inputPerMillion: 3, outputPerMillion: 15 } }, () => undefined, () => NaN, () => -1, () => '3', async () => 3, throws]) {
    const { success, reason, message, calls } = await spend({ usage: MILLION, model: 'm' }, { prices });
    assert.deepEqual([success, reason, calls], [false, 'budget', 1], String(prices));
    assert.match(message, /limits\.maxCostUsd.*"m".*host\.prices/);
  }
  assert.equal(console.error.mock.callCount(), 1);
});

test('prices without a limit give the cost of the run', async () => {
  const { usage } = await spend({ usage: { ...MILLION, cachedInputTokens: 500_000 }, model: 'm' }, { limits: { maxIterations: 1, maxToolCallsPerIteration: 2 }, prices: { m: { inputPerMillion: 2, outputPerMillion: 1, cachedInputPerMillion: 1 } } });
  assert.equal(usage.costUsd, 3);
});
