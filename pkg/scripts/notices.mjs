// Third-party notices: the crates that the binary links, with their licenses, from the sources that cargo has downloaded.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The crates that the binary links, without those that only run in the build: name, version, license, authors and folder. */
export function linkedCrates(root) {
  const cargo = (...args) => execFileSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 });
  const { packages } = JSON.parse(cargo('metadata', '--format-version', '1', '--locked', '--filter-platform', TARGET));
  const tree = cargo('tree', '--locked', '--target', TARGET, '--edges', 'normal,no-proc-macro', '--prefix', 'none', '--format', '{p}');
  const linked = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')));
  return packages
    .filter(({ source, name, version }) => source && linked.has(`${name} v${version}`))
    .map(({ name, version, license, authors, manifest_path }) => ({ name, version, license, authors, folder: dirname(manifest_path) }));
}

const TARGET = 'wasm32-unknown-unknown';

/** The text of `THIRD-PARTY-NOTICES`: crates with the same license text share a section. */
export function notices(crates, rustc) {
  const std = { name: 'the standard library of Rust', version: rustc, license: 'MIT OR Apache-2.0', authors: ['The Rust Project Contributors'] };
  const sections = new Map();
  for (const crate of [std, ...crates]) {
    const text = licenseOf(crate);
    sections.set(text, [...(sections.get(text) ?? []), `${crate.name} ${crate.version} (${crate.license})`]);
  }
  const parts = [...sections].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return ['loopgate_bg.wasm contains the following software.\n', ...parts].join(`\n${'='.repeat(80)}\n`);
}

/** The texts in the crate's folder. Of alternatives, MIT is enough. Without a text, the text of MIT for its authors. */
function licenseOf({ name, license, authors, folder }) {
  const files = folder ? licenseFiles(folder) : [];
  const hasMit = /\bMIT\b/.test(license) && files.some((file) => /mit/i.test(file));
  const kept = hasMit ? files.filter((file) => !/apache|zlib|0bsd|unlicense/i.test(file)) : files;
  if (kept.length > 0) return kept.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim()).join('\n\n');
  if (/\bMIT\b/.test(license)) return mit(authors);
  throw new Error(`the crate ${name} (${license}) has no file with its license: add the text to pkg/scripts/notices.mjs`);
}

/** Also those in a folder such as `.licenses`. */
function licenseFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => /^\.?(licen[cs]e|copying|copyright|notice|unlicense)/i.test(name));
  const files = entries.flatMap((entry) => (entry.isDirectory() ? readdirSync(join(folder, entry.name)).map((file) => join(entry.name, file)) : entry.name));
  return files.sort();
}

function mit(authors) {
  return `MIT License

Copyright (c) ${authors.map((author) => author.replace(/ <.*>/, '')).join(', ') || 'the contributors'}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
