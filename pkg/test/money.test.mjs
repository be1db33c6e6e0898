import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, pricesFrom, runLoop } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { notes, project, task } from './project.mjs';

const MILLION = { inputTokens: 1_000_000, outputTokens: 0 };
const limits = { maxCostUsd: 10 };

/** A run whose model reads a file in every turn; each answer has these fields. */
async function spend(answer, options) {
  const model = scriptedModel(Array.from({ length: 12 }, () => ({ toolCalls: [{ name: 'read_file', args: { path: 'README.md' } }], ...answer })));
  const { host } = await project({ model });
  const run = runLoop({ ...host, work: task(), limits, ...options });
  return { ...(await run.result), calls: model.requests.length };
}

test('`maxCostUsd` without prices is refused before the first call, and prices of the configuration are enough', async () => {
  const { host, model } = await project({ turns: ['done'] });
  for (const prices of [undefined, null]) {
    await assert.rejects(
      runLoop({ ...host, work: task(), limits, prices }).result,
      (error) => error instanceof LoopgateError && error.code === 'invalid-argument' && ['limits.maxCostUsd', 'host.prices', 'inputPerMillion: 3', '`models`', 'prices: {}'].every((words) => error.message.includes(words)),
    );
  }
  assert.equal(model.requests.length, 0);
  assert.equal((await runLoop({ ...host, work: task(), limits: { maxCostUsd: Infinity, maxIterations: 1 } }).result).iterations, 1);
  const config = { models: { m: { inputPerMillion: 3, outputPerMillion: 15 } } };
  const { reason, calls } = await spend({ usage: MILLION, model: 'm' }, { config });
  assert.deepEqual([reason, calls], ['budget', 3]);
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
    assert.match(message, /90 % of the budget of \$10 is spent/);
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

test('the public price list has the cost of a model by its id, its provider and its date', () => {
  const list = {
    sample_spec: { input_cost_per_token: 'a number' },
    'reseller/small': { input_cost_per_token: 9, output_cost_per_token: 9 },
    small: { input_cost_per_token: 1e-6, output_cost_per_token: 10e-6, cache_read_input_token_cost: 0.5e-6, cache_creation_input_token_cost: 1.25e-6 },
    'vendor/thinker': { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6, output_cost_per_reasoning_token: 4e-6, input_cost_per_token_above_200k_tokens: 3e-6, cache_creation_input_token_cost_above_200k_tokens: 4e-6 },
    'embedding-1': { input_cost_per_token: 1e-6 },
  };
  const cost = pricesFrom(list);
  const dollars = (usage, model) => Number(cost({ inputTokens: 0, outputTokens: 0, ...usage }, model)?.toFixed(6));
  for (const model of ['small', 'small-2026-01-31', 'small@20260131', 'gateway/small']) assert.equal(dollars({ inputTokens: 1_000_000, outputTokens: 100_000 }, model), 2, model);
  assert.equal(dollars({ inputTokens: 1_000_000, cachedInputTokens: 400_000 }, 'small'), 0.8);
  assert.equal(dollars({ inputTokens: 1_000_000, cachedInputTokens: 400_000, cacheWriteTokens: 400_000 }, 'small'), 0.9);
  assert.equal(dollars({ inputTokens: 100_000, cacheWriteTokens: 40_000 }, 'thinker'), 0.1, 'without a price, as other input');
  assert.equal(dollars({ inputTokens: 300_000, cacheWriteTokens: 100_000 }, 'thinker'), 1);
  assert.equal(dollars({ inputTokens: 1_000_000, cachedInputTokens: 900_000, cacheWriteTokens: 900_000 }, 'small'), 0.575, 'no token is paid twice');
  assert.equal(dollars({ inputTokens: 1_000, outputTokens: 1_000, reasoningTokens: 500 }, 'thinker'), 0.004);
  assert.equal(dollars({ inputTokens: 300_000 }, 'vendor/thinker'), 0.9);
  assert.equal(dollars({ inputTokens: 1 }, 'reseller/small'), 9);
  for (const model of ['embedding-1', 'sample_spec', 'smaller', '__proto__', undefined]) assert.equal(cost({ inputTokens: 1, outputTokens: 1 }, model), undefined, model);
  assert.throws(() => pricesFrom(null), { code: 'invalid-argument' });
});

test('a request beyond a size of the public price list has the price of the highest size that it exceeds', () => {
  const cost = pricesFrom({
    long: { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6, output_cost_per_reasoning_token: 3e-6, input_cost_per_token_above_272k_tokens: 4e-6, input_cost_per_token_above_128k_tokens: 2e-6, output_cost_per_token_above_128k_tokens: 5e-6, output_cost_per_reasoning_token_above_128k_tokens: 6e-6 },
  });
  const dollars = (usage) => Number(cost({ inputTokens: 0, outputTokens: 0, ...usage }, 'long').toFixed(6));
  for (const [inputTokens, expected] of [[128_000, 0.128], [128_001, 0.256002], [272_000, 0.544], [300_000, 1.2]]) assert.equal(dollars({ inputTokens }), expected);
  assert.equal(dollars({ inputTokens: 200_000, outputTokens: 1_000, reasoningTokens: 500 }), 0.4055);
});

test('the public price list has the price of a model by as much of the id as both have', () => {
  const price = (dollars) => ({ input_cost_per_token: dollars, output_cost_per_token: dollars });
  const cost = pricesFrom({ 'host/one/coder': price(1), 'gateway/two/coder': price(2), 'two/other': price(3), 'gateway/two/other': price(4) });
  const of = (model) => cost({ inputTokens: 1, outputTokens: 0 }, model);
  assert.deepEqual(['two/coder', 'two/coder-2026-01-31', 'three/coder', 'two/other', 'proxy/two/coder'].map(of), [2, 2, 1, 3, 2]);
});

test('a run counts the cost by the public price list', async () => {
  const { host } = await project({ turns: notes });
  const model = async (request, context) => ({ ...(await host.model(request, context)), model: 'small-2026-01-31', usage: { inputTokens: 1_000, outputTokens: 100 } });
  const prices = pricesFrom({ small: { input_cost_per_token: 1e-6, output_cost_per_token: 10e-6 } });
  const result = await runLoop({ ...host, model, prices, work: task(), plan: 'off', limits: { maxCostUsd: 1 } }).result;
  assert.equal(result.success, true, result.message);
  // The message is parsed, too.
  assert.equal(result.usage.costUsd.toFixed(4), (0.002 * (notes.length + 1)).toFixed(4));
});

test('`Infinity` lifts a limit of the configuration and of the run that is resumed', async () => {
  const prices = { m: { inputPerMillion: 3, outputPerMillion: 15 } };
  const turns = notes.map((turn) => ({ ...turn, usage: MILLION, model: 'm' }));
  const names = ['maxCostUsd', 'perTask', 'perDay', 'maxTokens'];
  const [low, none] = [1, Infinity].map((value) => Object.fromEntries(names.map((name) => [name, value])));
  const configured = await project({ turns });
  assert.equal((await runLoop({ ...configured.host, work: task(), prices, config: { limits: low }, limits: none }).result).reason, 'done');
  const { host } = await project({ turns });
  const stopped = await runLoop({ ...host, work: task(), prices, limits: low }).result;
  assert.equal(stopped.reason, 'budget');
  assert.equal((await runLoop({ ...host, resume: stopped.runId, prices, limits: none }).result).reason, 'done');
});
