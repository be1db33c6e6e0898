import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import init, { LoopgateError, defaultRegistry, init as named, runLoop, snapshot, validatePlan, version } from 'loopgate';

test('every function throws before init', async () => {
  const words = { name: 'LoopgateError', code: 'invalid-argument', message: /await init\(\)/ };
  assert.throws(() => validatePlan(''), words);
  assert.throws(() => runLoop({}), words);
  await assert.rejects(snapshot.list({}), words);
});

test('init rejects for an invalid module and can be retried', async () => {
  await assert.rejects(init(new Uint8Array([1, 2, 3])), (error) => {
    assert.ok(error instanceof LoopgateError && error instanceof Error);
    assert.deepEqual([error.code, error.retryable], ['not-found', true]);
    assert.ok(error.cause instanceof WebAssembly.CompileError);
    return true;
  });
});

test('the error under a policy without wasm-unsafe-eval names it', async (t) => {
  const { instantiate } = WebAssembly;
  t.after(() => (WebAssembly.instantiate = instantiate));
  for (const words of [
    "WebAssembly.instantiate(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script",
    'call to WebAssembly.instantiate() blocked by CSP',
  ]) {
    WebAssembly.instantiate = async () => {
      throw new WebAssembly.CompileError(words);
    };
    await assert.rejects(init(new Uint8Array([1])), /'wasm-unsafe-eval' to its script-src/);
  }
  WebAssembly.instantiate = async () => {
    throw new TypeError('404');
  };
  await assert.rejects(init(new Uint8Array([1])), ({ message }) => !message.includes('unsafe-eval') && /esbuild with --format=esm/.test(message));
});

test('init is idempotent, also for concurrent calls', async () => {
  assert.equal(named, init);
  const [first, second] = [init(), init()];
  assert.equal(first, second);
  assert.equal(await first, undefined);
  await init();
  assert.equal(typeof validatePlan('').ok, 'boolean');
});

test('the versions of the package and the crate are equal', () => {
  const { version: packaged } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [, crate] = /^version = "(.+)"$/m.exec(readFileSync(new URL('../../Cargo.toml', import.meta.url), 'utf8'));
  assert.deepEqual([version, version], [packaged, crate]);
});

test('the built-in registry is available before init', () => {
  const text = readFileSync(new URL('../../src/plan/registry.json', import.meta.url), 'utf8');
  assert.deepEqual(defaultRegistry, JSON.parse(text));
});
