// Checks the size of the built wasm against `size.json`, and that it imports nothing but its own glue.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const CEILING = fileURLToPath(new URL('../size.json', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../pkg/dist/', import.meta.url));

/** Bytes after brotli at its highest level, which is what a server with static compression sends. */
export function brotliSize(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
}

/** Imports that no browser provides: everything that does not come from the binary's own glue. */
export function nativeImports(bytes) {
  const isGlue = (name) => name === 'wbg' || /^\.\/[\w-]+_bg\.js$/.test(name);
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .filter(({ module }) => !isGlue(module))
    .map(({ module, name }) => `${module}.${name}`);
}

/** One sentence per violation. */
export function complaints(size, ceiling) {
  const found = [];
  if (size > ceiling) found.push(`the wasm has ${size} bytes after brotli, ${size - ceiling} over the ceiling of ${ceiling} in size.json: make it smaller`);
  if (!Number.isInteger(ceiling)) found.push('size.json has no `ceiling` in bytes: set it');
  return found;
}

function main() {
  const paths = readdirSync(PACKAGE, { recursive: true }).filter((path) => path.endsWith('.wasm'));
  if (paths.length !== 1) {
    console.error(`error: expected one wasm file in pkg/dist, found ${paths.length}: run 'make build'`);
    exit(1);
  }
  const bytes = readFileSync(join(PACKAGE, paths[0]));
  const { ceiling } = JSON.parse(readFileSync(CEILING, 'utf8'));
  const size = brotliSize(bytes);
  console.log(`wasm: ${bytes.length} bytes, ${size} after brotli (ceiling: ${ceiling})`);
  const wrong = complaints(size, ceiling);
  for (const name of nativeImports(bytes)) wrong.push(`the wasm imports ${name}, which no browser provides`);
  for (const sentence of wrong) console.error(`error: ${sentence}`);
  exit(wrong.length === 0 ? 0 : 1);
}

if (import.meta.url === pathToFileURL(argv[1]).href) main();
