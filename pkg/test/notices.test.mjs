import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linkedCrates, notices } from '../scripts/notices.mjs';

const pkg = fileURLToPath(new URL('..', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const crates = linkedCrates(root);

/** What the text of a license has in any case. */
const WORDS = {
  MIT: /permission is hereby granted, free of charge/i,
  'Apache-2.0': /Apache License\s+Version 2\.0/,
  'Unicode-3.0': /UNICODE LICENSE V3/,
  Zlib: /provided 'as-is', without any express or implied/,
  'BSL-1.0': /Boost Software License/,
};

/** The sections, each with the crates that it is for and its text. */
function sectionsOf(text) {
  return text.split(/\n={80}\n/).slice(1).map((section) => {
    const [names, ...texts] = section.split('\n\n');
    return { names: names.split('\n'), text: texts.join('\n\n') };
  });
}

test('every linked crate is in the notices of the package, with the text of its license', () => {
  assert.ok(crates.length > 50 && crates.some(({ name }) => name === 'imara-diff') && crates.some(({ name }) => name === 'icu_segmenter'));
  const sections = sectionsOf(readFileSync(`${pkg}/THIRD-PARTY-NOTICES`, 'utf8'));
  for (const { name, version, license } of crates) {
    const { text } = sections.find(({ names }) => names.includes(`${name} ${version} (${license})`)) ?? assert.fail(`${name} ${version} is missing: build the package`);
    // Of alternatives one is enough; of `A AND B`, both are needed.
    for (const part of license.split(' AND ')) {
      const ids = Object.keys(WORDS).filter((id) => part.includes(id));
      assert.ok(ids.some((id) => WORDS[id].test(text)), `${name}: no text of ${part}`);
    }
  }
  assert.ok(sections.some(({ names }) => names.some((name) => name.startsWith('the standard library of Rust'))));
});

test('a crate whose license has no text fails the build', () => {
  assert.throws(() => notices([{ name: 'odd', version: '1.0.0', license: 'MPL-2.0', authors: [], folder: `${pkg}/test/hostile` }], '1'), /odd \(MPL-2\.0\) has no file/);
});

test('the archive has the notices', () => {
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: pkg, encoding: 'utf8' }));
  assert.ok(files.some(({ path }) => path === 'THIRD-PARTY-NOTICES'));
});
