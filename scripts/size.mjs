// Holds the size of the wasm to `size.json`, and its imports to what its own glue provides.
//
//   node scripts/size.mjs             prints the sizes and how they stand to the budget; fails over the ceiling
//   node scripts/size.mjs --update    records the sizes as they are
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const RECORD = fileURLToPath(new URL('../size.json', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../pkg/dist/', import.meta.url));
/** The sizes of a binary in bytes, compressed as well as a server can. */
export function measure(bytes) {
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }).length,
  };
}

/** Imports that nothing in a browser provides: everything that is not from the binary's own glue. */
export function nativeImports(bytes) {
  const ofGlue = (name) => name === 'wbg' || /^\.\/[\w-]+_bg\.js$/.test(name);
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .filter(({ module }) => !ofGlue(module))
    .map(({ module, name }) => `${module}.${name}`);
}

/** What is wrong with sizes against a record `{ ceiling }`, each a sentence. Only a feature, or speed that was promised, raises the ceiling. */
export function complaints(sizes, { ceiling }) {
  if (sizes.brotli <= ceiling.brotli) return [];
  const over = sizes.brotli - ceiling.brotli;
  return [`the wasm is ${sizes.brotli} bytes after brotli, ${over} over its ceiling of ${ceiling.brotli}: make it smaller`];
}

/** How sizes stand to the budget, which is what the wasm must come down to. */
export function standing(sizes, { budget }) {
  const over = sizes.brotli - budget.brotli;
  return over > 0 ? `BUDGET MISSED by ${over} bytes (${budget.brotli} after brotli)` : `within the budget of ${budget.brotli}`;
}

function binaries() {
  return readdirSync(PACKAGE, { recursive: true })
    .filter((path) => path.endsWith('.wasm'))
    .map((path) => readFileSync(join(PACKAGE, path)));
}

function main(options) {
  const found = binaries();
  if (found.length !== 1) {
    console.error(`error: expected one wasm in pkg/dist and found ${found.length}: run 'make build'`);
    exit(1);
  }
  const [bytes] = found;
  const sizes = measure(bytes);
  const record = JSON.parse(readFileSync(RECORD, 'utf8'));
  console.log(`wasm: ${sizes.raw} bytes, ${sizes.gzip} gzip, ${sizes.brotli} brotli; ${standing(sizes, record.wasm)}`);
  if (options.includes('--update')) {
    record.wasm.measured = sizes;
    writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  }
  const wrong = complaints(sizes, record.wasm);
  for (const name of nativeImports(bytes)) wrong.push(`the wasm imports ${name}, which no browser provides`);
  for (const sentence of wrong) console.error(`error: ${sentence}`);
  exit(wrong.length === 0 ? 0 : 1);
}

if (import.meta.url === pathToFileURL(argv[1]).href) main(argv.slice(2));
