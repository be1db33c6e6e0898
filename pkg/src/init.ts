import { LoopgateError } from './errors.js';
import load from './loopgate.js';
import * as module from './loopgate.js';

type Source = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

let loading: Promise<void> | undefined;
let loaded = false;

/**
 * Loads the wasm module. Idempotent. Works in a window, a worker, and Node 20+.
 *
 * `wasm` says where it is, or is it, for bundlers that do not follow `new URL('…', import.meta.url)`.
 */
export default function init(wasm?: Source): Promise<void> {
  loading ??= start(wasm).catch((thrown: unknown) => {
    loading = undefined;
    throw new LoopgateError(
      `the wasm module could not be loaded (${thrown instanceof Error ? thrown.message : thrown}); check that loopgate_bg.wasm is served beside the script (Vite before version 8: optimizeDeps: { exclude: ['loopgate'] }), or pass its address to init()`,
      { code: 'not-found', retryable: true, cause: thrown },
    );
  });
  return loading;
}

/** The functions of the wasm module, once `init` has resolved. */
export function wasm(): typeof module {
  if (loaded) return module;
  throw new LoopgateError('loopgate is not loaded: `await init()` first (the default export of "loopgate")', { code: 'invalid-argument' });
}

async function start(source: Source = new URL('./loopgate_bg.wasm', import.meta.url)): Promise<void> {
  await load({ module_or_path: fromDisk(source) ?? source });
  module.validatePlan(FIRST_PLAN, undefined);
  loaded = true;
}

/**
 * Browsers compile a function when it is first called, which for a plan takes as long as dozens of calls. An editor that opens on
 * a plan finds it done.
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

/** Node fetches no `file:` addresses. Its file system is asked for at run time, so that bundlers see no import. */
function fromDisk(source: Source): BufferSource | undefined {
  const node = (globalThis as { process?: { getBuiltinModule?(name: string): { readFileSync(url: URL): BufferSource } } }).process;
  const address = typeof source === 'string' || source instanceof URL ? String(source) : '';
  if (!address.startsWith('file:') || !node?.getBuiltinModule) return undefined;
  return node.getBuiltinModule('node:fs').readFileSync(new URL(address));
}
