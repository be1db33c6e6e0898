// Links within the repository of a project of strangers.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { snapshot } from 'loopgate';
import { done, drive, isShipped, project, turn, write } from '../ownership/project.mjs';

/** A folder outside of the project, with a file of the user; `unchanged` fails if anything in it changed. */
function outside(t) {
  const dir = nodeFs.mkdtempSync(join(tmpdir(), 'loopgate-outside-'));
  t.after(() => nodeFs.rmSync(dir, { recursive: true, force: true }));
  nodeFs.writeFileSync(join(dir, 'precious'), 'precious\n');
  const unchanged = () => {
    assert.deepEqual(nodeFs.readdirSync(dir), ['precious']);
    assert.equal(nodeFs.readFileSync(join(dir, 'precious'), 'utf8'), 'precious\n');
  };
  return { dir, unchanged };
}

const link = (p, path, target) => {
  nodeFs.rmSync(join(p.dir, path), { recursive: true, force: true });
  nodeFs.mkdirSync(join(p.dir, path, '..'), { recursive: true });
  nodeFs.symlinkSync(target, join(p.dir, path));
};

for (const [path, target] of [
  ['.git/refs/tags', ''],
  ['.git/objects/pack', ''],
  ['.git/refs/tags/by-hand', 'created'],
]) {
  test(`a save writes nothing through a link in place of ${path}`, async (t) => {
    const p = project(t);
    const { dir, unchanged } = outside(t);
    link(p, path, join(dir, target));
    await assert.rejects(snapshot.save(p.page(), { tag: 'by-hand' }), (error) => error.code === 'denied' && error.message.includes(`${path} is a symbolic link`));
    unchanged();
  });
}

test('a save writes nothing through a link in place of the repository', async (t) => {
  const p = project(t);
  const { dir, unchanged } = outside(t);
  link(p, '.git', dir);
  await assert.rejects(snapshot.save(p.page()));
  unchanged();
});

for (const path of ['.git/HEAD.loopgate', '.git/index.loopgate']) {
  test(`a run replaces a link in place of ${path}, and not what it leads to`, async (t) => {
    const p = project(t);
    const { dir, unchanged } = outside(t);
    link(p, path, join(dir, 'precious'));
    isShipped(await drive(p.page(), { script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } }));
    unchanged();
  });
}

for (const target of ['precious', 'created']) {
  test(`a run moves no branch through a link to ${target === 'precious' ? 'a file' : 'nothing'}`, async (t) => {
    const p = project(t);
    const { dir, unchanged } = outside(t);
    link(p, '.git/refs/heads/spec/shop', join(dir, target));
    const { error } = await drive(p.page(), { script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } });
    assert.ok(error instanceof Error);
    unchanged();
  });
}
