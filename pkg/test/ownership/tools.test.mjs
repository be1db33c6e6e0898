// What tools and hooks of the IDE write during a call of the agent is the agent's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, isShipped, meanwhile, project, revise, ship, tool, turn, write } from './project.mjs';

const attempt = (text = 'AGENT\n') => turn(write('src/a.ts', text), done());
const generate = { name: 'generate', description: 'generates', execute: (_, { fs }) => fs.writeFile('src/gen.ts', 'AGENT\n').then(() => 'ok') };
const direct = (p) => ({ ...generate, execute: () => (p.put('src/gen.ts', 'AGENT\n'), 'ok') });
const doors = [
  ['a tool of the IDE without `writes` writes', () => ({ tools: [generate] })],
  ['a tool of the IDE writes past its file system', (p) => ({ tools: [direct(p)] })],
  ['a hook writes before a call', (p) => ({ hooks: { beforeTool: ({ args }) => (args.content === 'draft\n' && p.put('src/gen.ts', 'AGENT\n'), { decision: 'allow' }) } })],
  ['a hook writes after a call', (p) => ({ hooks: { afterTool: ({ args }) => args.content === 'draft\n' && p.put('src/gen.ts', 'AGENT\n') } })],
];

for (const [how, ports] of doors) {
  const uses = ({ tools }) => turn(tools ? tool('generate') : write('src/a.ts', 'draft\n'));

  test(`a file that ${how} is committed`, async (t) => {
    const p = project(t);
    const more = ports(p);
    const outcome = await drive(p.page(), { ...more, script: { builder: [uses(more), attempt()] } });
    isShipped(outcome);
    assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/gen.ts'], '']);
    assert.match(outcome.prompts('reviewer')[0], /src\/gen\.ts/);
  });

  test(`a file that ${how} is taken back by REVISE`, async (t) => {
    const p = project(t);
    const more = ports(p);
    let seen;
    const builder = [uses(more), attempt(), meanwhile(() => (seen = p.has('src/gen.ts')), attempt('AGENT_2\n'))];
    isShipped(await drive(p.page(), { ...more, script: { builder, reviewer: [revise, ship] } }));
    assert.equal(seen, false);
    assert.deepEqual([p.committed(), p.status()], [['src/a.ts'], '']);
  });
}

test('a hook that formats what the agent wrote changes the agent\'s file', async (t) => {
  for (const reviewer of [[ship], [revise, ship]]) {
    const p = project(t);
    const hooks = { afterTool: ({ name, args }) => name === 'write_file' && p.put(args.path, p.text(args.path).toUpperCase()) };
    const seen = [];
    const builder = [attempt('agent_1\n'), meanwhile(() => seen.push(p.has('src/a.ts')), attempt('agent_2\n'))];
    isShipped(await drive(p.page(), { hooks, script: { builder, reviewer } }));
    assert.deepEqual(seen, reviewer.length === 1 ? [] : [false]);
    assert.equal(p.git('show', 'spec/shop:src/a.ts'), reviewer.length === 1 ? 'AGENT_1' : 'AGENT_2');
    assert.equal(p.status(), '');
  }
});
