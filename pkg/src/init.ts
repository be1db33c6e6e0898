import { LoopgateError } from './errors.js';
import load from './loopgate.js';
import * as module from './loopgate.js';

type Source = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

let loading: Promise<void> | undefined;
let loaded = false;

/**
 * Loads the wasm module. Idempotent. Works in a window, a worker, and Node 20+.
 *
 * `wasm` is the module or its address, for bundlers that do not support `new URL('…', import.meta.url)`.
 */
export default function init(wasm?: Source): Promise<void> {
  loading ??= start(wasm).catch((thrown: unknown) => {
    loading = undefined;
    const words = String(thrown instanceof Error ? thrown.message : thrown);
    const todo = FORBIDDEN.test(words)
      ? "the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src"
      : "check that loopgate_bg.wasm is served next to the script (Vite before version 8: optimizeDeps: { exclude: ['loopgate'] }; esbuild with --format=esm, and Rollup: copy the file), or pass its address to init()";
    throw new LoopgateError(`cannot load the wasm module (${words}): ${todo}`, { code: 'not-found', retryable: true, cause: thrown });
  });
  return loading;
}

/** The functions of the wasm module. Throws before `init` has resolved. */
export function wasm(): typeof module {
  if (loaded) return module;
  throw new LoopgateError('loopgate is not initialized: call `await init()` first (the default export of "loopgate")', { code: 'invalid-argument' });
}

/** What browsers say where a policy forbids WebAssembly. */
const FORBIDDEN = /unsafe-eval|content security policy|\bCSP\b/i;

async function start(source: Source = new URL('./loopgate_bg.wasm', import.meta.url)): Promise<void> {
  await load({ module_or_path: fromDisk(source) ?? source });
  module.validatePlan(FIRST_PLAN, undefined);
  loaded = true;
}

/**
 * A warm-up: browsers compile a wasm function on its first call, so the first plan takes as long as dozens of later ones.
 */
const FIRST_PLAN = `export default (
  <App name="A" description="B">
    <Theme mood="zen" seed={1} font="Inter" />
    <Screen name="Home" layout="stack">
      {/* TASK-1 [ADD]: 2 drinks */}
      <Section gumdrop="hero" variant="split"><Field name="email" required /><Action trigger="row" intent="open" /></Section>
    </Screen>
    <Data><Schema name="drinks" fields={["name"]} /><Endpoint resource="drinks" pattern="readonly" /></Data>
  </App>
);`;

/** Node.js does not fetch `file:` addresses. The built-in is looked up at run time, so that bundlers see no import. */
function fromDisk(source: Source): BufferSource | undefined {
  const node = (globalThis as { process?: { getBuiltinModule?(name: string): { readFileSync(url: URL): BufferSource } } }).process;
  const address = typeof source === 'string' || source instanceof URL ? String(source) : '';
  if (!address.startsWith('file:') || !node?.getBuiltinModule) return undefined;
  return node.getBuiltinModule('node:fs').readFileSync(new URL(address));
}
