import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, diffPlan, planCommand } from 'loopgate';
import { project } from './project.mjs';

const plan = `export default (
  <App name="Tea">
    <Theme mood="zen" />
    <Screen name="home">
      <Section gumdrop="hero" />
      <Section gumdrop="footer" />
    </Screen>
  </App>
)
`;
const files = {
  '.ralph/plan.tsx': plan,
  'src/App.tsx': "import { HeroSection as Top } from './sections/HeroSection'\n// <FooterSection />\nexport default () => <Top title=\"footer\" />\n",
  'src/sections/HeroSection.tsx': 'export const HeroSection = () => <h1>Tea 🫖</h1>\n',
  'src/node_modules/x/FooterSection.tsx': 'export default () => <footer />\n',
};

test('a plan is compared with the sources, and the report is written', async () => {
  const { host, read } = await project({ files });
  const { entries, report } = await diffPlan(host);
  const found = entries.map(({ status, category, planned, found }) => [status, category, planned, found]);
  assert.deepEqual(found, [
    ['implemented', 'screen', 'home', 'src/App.tsx'],
    ['implemented', 'section', 'hero', 'src/sections/HeroSection.tsx'],
    ['missing', 'section', 'footer', undefined],
    ['missing', 'theme', 'mood="zen"', undefined],
  ]);
  assert.match(entries[2].detail, /^Screen "home", line 6: /);
  assert.equal(read('.ralph/plan-diff.md'), report);
});

test('a missing or unparsable plan rejects with its position', async () => {
  const bare = await project();
  await assert.rejects(diffPlan(bare.host), (error) => {
    assert.ok(error instanceof LoopgateError);
    assert.deepEqual([error.code, error.path], ['not-found', '.ralph/plan.tsx']);
    assert.match(error.message, /\.ralph\/plan\.tsx/);
    return true;
  });
  const broken = await project({ files: { '.ralph/plan.tsx': '\nexport default (<App' } });
  await assert.rejects(diffPlan(broken.host), (error) => {
    assert.deepEqual([error.code, error.path, error.line, error.column], ['invalid-argument', '.ralph/plan.tsx', 2, 21]);
    return true;
  });
});

test('the plan command uses the registry of the host', async () => {
  const { host, read } = await project({ files });
  const command = planCommand(host);
  assert.equal(command.name, 'plan');
  assert.deepEqual(await command.execute(['update', 'hero', 'MODIFY', 'larger']), { exitCode: 0, stdout: 'home/hero: TASK-1 [MODIFY]: larger\n', stderr: '' });
  assert.match(read('.ralph/plan.tsx'), /<Section gumdrop="hero">\n {8}\{\/\* TASK-1 \[MODIFY\]: larger \*\/\}\n {6}<\/Section>/);
  assert.match((await command.execute(['show'])).stdout, /· TASK-1 \[MODIFY\]: larger\n/);
  assert.equal((await command.execute(['lint-config'])).exitCode, 0);
  assert.deepEqual(JSON.parse(read('.ralph/lint-config.json')).theme, { mood: 'zen' });
  assert.match((await command.execute(['diff'])).stdout, /- missing: section footer/);
  assert.equal((await command.execute(['validate'])).exitCode, 0);
  assert.equal((await command.execute(['nope'])).exitCode, 2);

  const { defaultRegistry } = await import('loopgate');
  const strict = planCommand({ ...host, registry: { ...defaultRegistry, gumdrops: ['footer'] } });
  const { exitCode, stderr } = await strict.execute(['validate']);
  assert.deepEqual([exitCode, stderr.includes('FAIL [valid-gumdrops]: Line 5')], [1, true]);
});

test('deeply nested sources do not overflow the stack; too deep ones are named', async () => {
  const shapes = [['(', ')'], ['[', ']'], ['{a:', '}'], ['f(', ')'], ['()=>{return ', '}'], ['a?b:', ''], ['`${', '}`'], ['<A>{', '}</A>'], ['<A b={', '}/>'], ['class{a=', '}'], ['a&&(', ')']];
  for (const [open, close] of shapes) {
    for (const levels of [100, 200, 255, 30_000]) {
      const value = `${open.repeat(levels)}1${close.repeat(levels)}`;
      const inTree = `export default () => ${'<A>'.repeat(200)}{${value}}${'</A>'.repeat(200)}`;
      const { host } = await project({ files: { ...files, 'src/deep.tsx': `export default ${value}`, 'src/tree.tsx': inTree } });
      const { entries, report } = await diffPlan(host);
      assert.equal(entries[1].status, 'implemented', open);
      if (levels === 30_000) assert.match(report, /src\/deep\.tsx: .*nest/, open);
    }
  }
});
