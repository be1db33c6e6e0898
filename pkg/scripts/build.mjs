// Builds the package: wasm (wasm-pack, then wasm-opt), what is generated from the crate, TypeScript. Everything that a
// user gets lies in pkg/dist afterwards.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const pkg = fileURLToPath(new URL('..', import.meta.url));
const root = dirname(pkg.replace(/\/$/, ''));
const wasm = join(pkg, 'wasm');
const dist = join(pkg, 'dist');

buildWasm();
generate();
compile();
report();

/** Its own folder, because wasm-pack empties and fills it as it likes. */
function buildWasm() {
  run('cargo', ['fetch', '--locked']);
  const options = ['--target', 'web', '--release', '--no-pack', '--out-dir', join('pkg', 'wasm'), '--out-name', 'loopgate'];
  run('wasm-pack', ['build', root, ...options], { CARGO_ENCODED_RUSTFLAGS: withoutMachinePaths().join('\x1f') });
  // What rustc and wasm-bindgen use, and every browser since 2022 has.
  const features = ['bulk-memory', 'bulk-memory-opt', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'];
  const binary = join(wasm, 'loopgate_bg.wasm');
  run(process.execPath, [tool('binaryen', 'bin/wasm-opt'), binary, '-o', binary, '-Oz', ...features.map((name) => `--enable-${name}`)]);
}

/** Flags of rustc: panics name source files of crates and of Rust, which lie somewhere else on every machine. */
function withoutMachinePaths() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
  const crates = readdirSync(sources).map((registry) => `${join(sources, registry)}=crates`);
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { cwd: root, encoding: 'utf8' }).trim();
  const rust = `${join(sysroot, 'lib/rustlib/src/rust')}=rust`;
  return [...crates, rust].map((mapping) => `--remap-path-prefix=${mapping}`);
}

/** What the package tells without the wasm module, from where it is kept. */
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
    '/** The names that a plan may use where the IDE injects no registry of its own. */',
    `export const defaultRegistry: Registry = ${JSON.stringify(registry, null, 2)};`,
    '',
  ];
  writeFileSync(join(pkg, 'src/generated.ts'), text.join('\n'));
}

function compile() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  run(process.execPath, [tool('typescript', 'bin/tsc'), '-p', pkg]);
  for (const file of ['loopgate.js', 'loopgate.d.ts', 'loopgate_bg.wasm']) copyFileSync(join(wasm, file), join(dist, file));
  // JavaScript of the crate, where the glue looks for it.
  cpSync(join(wasm, 'snippets'), join(dist, 'snippets'), { recursive: true });
  // What npm puts into every package lies in the package's own folder.
  for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(pkg, file));
}

function report() {
  const binary = readFileSync(join(dist, 'loopgate_bg.wasm'));
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  console.log(`${relative(root, dist)}: wasm ${kilobytes(binary.length)}, brotli ${kilobytes(brotliCompressSync(binary).length)}`);
}

function run(command, args, environment = {}) {
  execFileSync(command, args, { stdio: 'inherit', cwd: root, env: { ...process.env, ...environment } });
}

/** A tool of the workspace, wherever npm put it. */
function tool(name, path) {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}
