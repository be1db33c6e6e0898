// Checks the size of the built wasm against `size.json`, and that it imports nothing but its own glue.
import { execFileSync } from 'node:child_process';
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

/** The other files of the last commit that changed the ceiling; none where git does not know. */
function changedWithCeiling() {
  const git = (...args) => execFileSync('git', args, { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const commit = git('log', '-1', '--format=%H', '--', 'size.json');
    return git('show', '--name-only', '--format=', commit).split('\n').filter((path) => path !== 'size.json');
  } catch {
    return [];
  }
}

/** One sentence per violation. `others`: the files that changed in one commit with the ceiling. */
export function complaints(size, ceiling, others = []) {
  const found = [];
  if (others.length > 0) found.push(`the last commit that changed size.json also changed ${others.slice(0, 3).join(', ')}: change the ceiling in a commit of its own that gives the reason`);
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
  const wrong = complaints(size, ceiling, changedWithCeiling());
  for (const name of nativeImports(bytes)) wrong.push(`the wasm imports ${name}, which no browser provides`);
  for (const sentence of wrong) console.error(`error: ${sentence}`);
  exit(wrong.length === 0 ? 0 : 1);
}

if (import.meta.url === pathToFileURL(argv[1]).href) main();
