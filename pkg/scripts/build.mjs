// Builds the package into pkg/dist: wasm (cargo, then wasm-bindgen), generated sources, TypeScript. With the argument `typescript`,
// the wasm stays as it is.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { linkedCrates, notices } from './notices.mjs';

const pkg = fileURLToPath(new URL('..', import.meta.url));
const root = dirname(pkg.replace(/\/$/, ''));
const wasm = join(pkg, 'wasm');
const dist = join(pkg, 'dist');

if (process.argv[2] !== 'typescript') buildWasm();
generate();
compile();
report();

/**
 * wasm-opt is not used: `-Oz` makes the binary smaller, but what a browser downloads after brotli a tenth larger. `init` knows
 * where the binary is; a second `new URL` in the glue would make bundlers ship it twice.
 */
function buildWasm() {
  run('cargo', ['fetch', '--locked']);
  run('cargo', ['build', '--release', '--lib', '--target', 'wasm32-unknown-unknown'], { CARGO_ENCODED_RUSTFLAGS: withoutMachinePaths().join('\x1f') });
  const { target_directory: target } = JSON.parse(execFileSync('cargo', ['metadata', '--format-version', '1', '--no-deps'], { cwd: root, encoding: 'utf8' }));
  const options = ['--target', 'web', '--omit-default-module-path', '--remove-name-section', '--remove-producers-section', '--out-dir', wasm, '--out-name', 'loopgate'];
  rmSync(wasm, { recursive: true, force: true });
  run('wasm-bindgen', [...options, join(target, 'wasm32-unknown-unknown/release/loopgate.wasm')]);
}

/** Flags of rustc that remove paths of this machine, which panic messages contain. */
function withoutMachinePaths() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
  const crates = readdirSync(sources).map((registry) => `${join(sources, registry)}=crates`);
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { cwd: root, encoding: 'utf8' }).trim();
  const rust = `${join(sysroot, 'lib/rustlib/src/rust')}=rust`;
  return [...crates, rust].map((mapping) => `--remap-path-prefix=${mapping}`);
}

/** Generates the exports that do not need the wasm module. */
function generate() {
  const { version } = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'));
  const registry = JSON.parse(readFileSync(join(root, 'src/plan/registry.json'), 'utf8'));
  const text = [
    '// Written by scripts/build.mjs.',
    "import type { Registry } from './types/index.js';",
    '',
    '/** The version of the package. */',
    `export const version: string = ${JSON.stringify(version)};`,
    '',
    '/** The names that a plan may use, unless the IDE passes its own registry. */',
    `export const defaultRegistry: Registry = ${JSON.stringify(registry, null, 2)};`,
    '',
  ];
  writeFileSync(join(pkg, 'src/generated.ts'), text.join('\n'));
  // The core reads the same table.
  const overflow = JSON.parse(readFileSync(join(root, 'src/agent/context/overflow.json'), 'utf8'));
  const rows = `/** Words of refusals of a conversation that is too long, and of those that only look alike. */\nexport const overflow: Record<'full' | 'unless' | 'prompt' | 'limit' | 'answer', string[]> = ${JSON.stringify(overflow, null, 2)};\n`;
  writeFileSync(join(pkg, 'src/generated-overflow.ts'), `// Written by scripts/build.mjs.\n${rows}`);
}

function compile() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  run(process.execPath, [tool('typescript', 'bin/tsc'), '-p', pkg]);
  for (const file of ['loopgate.js', 'loopgate.d.ts', 'loopgate_bg.wasm']) copyFileSync(join(wasm, file), join(dist, file));
  copyFileSync(join(pkg, 'src/loopgate_bg.wasm.d.ts'), join(dist, 'loopgate_bg.wasm.d.ts'));
  // JavaScript of the crate, imported by the glue.
  cpSync(join(wasm, 'snippets'), join(dist, 'snippets'), { recursive: true });
  // npm adds these to the package.
  for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(pkg, file));
  const rustc = execFileSync('rustc', ['--version'], { cwd: root, encoding: 'utf8' }).split(' ')[1];
  writeFileSync(join(pkg, 'THIRD-PARTY-NOTICES'), notices(linkedCrates(root), rustc));
}

function report() {
  const binary = readFileSync(join(dist, 'loopgate_bg.wasm'));
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  console.log(`${relative(root, dist)}: wasm ${kilobytes(binary.length)}, brotli ${kilobytes(brotliCompressSync(binary).length)}`);
}

function run(command, args, environment = {}) {
  execFileSync(command, args, { stdio: 'inherit', cwd: root, env: { ...process.env, ...environment } });
}

/** The path of a tool in node_modules. */
function tool(name, path) {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}
