import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import init, { guardFs, planCommand } from 'loopgate';
import { load } from './load.js';

const { readCalls } = await load('shell/words.ts');
const { nearest } = await load('shell/words.ts');
const { shell } = await load('shell/shell.ts');

let dir;
let port;
before(async () => {
  await init();
  dir = await mkdtemp(join(tmpdir(), 'shell-'));
  port = shell(() => ({ fs: guardFs(fs, { dir }), commands: [planCommand({ fs, dir })] }), dir);
});
after(() => rm(dir, { recursive: true }));
beforeEach(async () => {
  await rm(dir, { recursive: true });
  await mkdir(join(dir, 'src'), { recursive: true });
  await mkdir(join(dir, '.git'));
  await writeFile(join(dir, 'src/a.txt'), 'A\n');
  await writeFile(join(dir, 'b.txt'), 'B\n');
});

const execute = (line, signal = new AbortController().signal) => port.execute(line, { cwd: dir, signal, timeoutMs: 1000 });
const text = (path) => readFile(join(dir, path), 'utf8');

const call = (words, rest = {}) => ({ join: ';', words, ...rest });
for (const [line, expected] of [
  ['', []],
  ['a  b\tc', [call(['a', 'b', 'c'])]],
  [`a 'b "c' "d 'e"f`, [call(['a', 'b "c', "d 'ef"])]],
  [`a "" ''`, [call(['a', '', ''])]],
  ['a \\"b\\ c "\\"\\n"', [call(['a', '"b c', '"\\n'])]],
  [`a 'x; rm -rf src' "y && z"`, [call(['a', 'x; rm -rf src', 'y && z'])]],
  ["a '$b' '`c`' '*'", [call(['a', '$b', '`c`', '*'])]],
  ['a && b || c; d\ne', [call(['a']), call(['b'], { join: '&&' }), call(['c'], { join: '||' }), call(['d']), call(['e'])]],
  ['a > x && b >> "y z"', [call(['a'], { into: { path: 'x', append: false } }), call(['b'], { join: '&&', into: { path: 'y z', append: true } })]],
  ['a # b && c\nd#e', [call(['a']), call(['d#e'])]],
]) {
  test(`words of ${JSON.stringify(line)}`, async () => assert.deepEqual(await readCalls(line), expected));
}

for (const [line, expected] of [
  ['cat a | cat', /pipes/],
  ['sleep 9 &', /background/],
  ['echo $HOME', /variables/],
  ['echo "$HOME"', /variables/],
  ['A=1 echo', /variables/],
  ['echo `ls`', /command substitution/],
  ['echo $(ls)', /command substitution/],
  ['(ls)', /subshells/],
  ['if ls; then ls; fi', /control structures/],
  ['cat < a', /redirections with </],
  ['ls 2> a', /redirections with >/],
  ['rm *.txt', /patterns/],
  ['rm {a,b}', /braces/],
  ["echo 'a", /unterminated single quote/],
  ['echo "a', /unterminated double quote/],
  ['echo a >', /redirect target/],
  ['> a', /missing command/],
  ['&& ls', /unexpected token '&&'/],
  ['ls &&', /command after '&&'/],
]) {
  test(`${line} is refused before any command runs`, async () => {
    const { exitCode, stdout, stderr } = await execute(line);
    assert.deepEqual([exitCode, stdout], [2, '']);
    assert.match(stderr, expected);
  });
}

test('files are listed, read, written and deleted', async () => {
  assert.deepEqual(await execute('ls'), { exitCode: 0, stdout: 'b.txt\nsrc/\n', stderr: '' });
  assert.equal((await execute('ls src b.txt')).stdout, 'src:\na.txt\n\nb.txt:\nb.txt\n');
  assert.equal((await execute('cat b.txt src/a.txt')).stdout, 'B\nA\n');
  assert.deepEqual(await execute('mkdir -p x/y && echo "one  two" > x/y/z.txt && echo 3 >> x/y/z.txt; echo new >> n.txt'), { exitCode: 0, stdout: '', stderr: '' });
  assert.equal(await text('x/y/z.txt'), 'one  two\n3\n');
  assert.equal(await text('n.txt'), 'new\n');
  assert.equal((await execute('rm -f b.txt')).exitCode, 0);
  await assert.rejects(text('b.txt'));
});

test('&& skips after a failure, and || after a success', async () => {
  const { exitCode, stdout, stderr } = await execute('cat nope && echo no; echo yes || echo no; cat nope || echo instead');
  assert.deepEqual([exitCode, stdout], [0, 'yes\ninstead\n']);
  assert.match(stderr, /^cat: .*nope/);
  assert.equal((await execute('echo yes; cat nope')).exitCode, 1);
});

test('protected files cannot be reached', async () => {
  for (const line of ['echo x > .git/config', 'echo x > ../x', 'cat /etc/passwd', 'mkdir .loopgate', 'rm .ralph/task.md', 'echo build > .ralph/phase.txt']) {
    const { exitCode, stderr } = await execute(line);
    assert.equal(exitCode, 1, line);
    assert.match(stderr, /^\w+: \S/, line);
  }
});

test('an unknown command gives a suggestion, or where the commands are listed', async () => {
  const { exitCode, stderr } = await execute('them list');
  assert.equal(exitCode, 127);
  assert.match(stderr, /^them: there is no such command here. Did you mean theme\?$/m);
  for (const line of ['npm install', 'cd src', 'constructor']) assert.match((await execute(line)).stderr, /`help` lists the commands\.$/m, line);
  const help = (await execute('help')).stdout;
  for (const name of ['cat FILE', 'theme list', 'plan', '&&']) assert.ok(help.includes(name), name);
});

test('theme writes the style sheet; wrong arguments give exit code 2', async () => {
  const { exitCode, stdout } = await execute('theme generate --seed 180 --pattern triadic --mood playful --font "Plus Jakarta Sans" --apply');
  assert.equal(exitCode, 0);
  assert.match(stdout, /Applied seed 180, triadic, playful .* to src\/index\.css/);
  const sheet = await text('src/index.css');
  assert.match(sheet, /--font-sans: "Plus Jakarta Sans"/);
  for (const line of ["theme preset 'x; rm -rf src' --apply", 'theme preset cyberpnk --apply', 'theme', 'cat']) assert.equal((await execute(line)).exitCode, 2, line);
  assert.equal(await text('src/index.css'), sheet);
  assert.equal(await text('src/a.txt'), 'A\n');
});

test("commands of the package run in the shell", async () => {
  assert.equal((await execute('plan')).exitCode, 2);
  await mkdir(join(dir, '.ralph'));
  await writeFile(join(dir, '.ralph/plan.tsx'), 'export default (<App><Theme mood="mono" /><Screen name="a"><Section gumdrop="heros" /></Screen></App>)');
  const { exitCode, stdout, stderr } = await execute('plan validate > report.txt; plan validate');
  assert.equal(exitCode, 1);
  assert.match(stdout + stderr, /heros/);
});

test('an aborted line rejects and writes nothing', async () => {
  const reason = new Error('enough');
  await assert.rejects(execute('echo x > late.txt', AbortSignal.abort(reason)), reason);
  await assert.rejects(text('late.txt'));
});

test('the description names every command', () => {
  for (const name of ['cat', 'echo', 'ls', 'mkdir', 'rm', 'theme list', 'plan']) assert.ok(port.describe().includes(name), name);
});

test('suggestions are sorted by distance, without distant names', () => {
  const names = ['hero', 'header', 'pricing', 'cta', 'northern-lights'];
  assert.deepEqual(nearest('herer', names), ['hero', 'header']);
  assert.deepEqual(nearest('north', names), ['northern-lights']);
  assert.deepEqual(nearest('zzzzzzzz', names), []);
});
