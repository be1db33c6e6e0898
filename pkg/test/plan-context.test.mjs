import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, formatBuildInstructions, resolvePlanContext, runLoop } from 'loopgate';
import { call, done, project, summary, task } from './project.mjs';

const HERO = '---\r\nname: hero\r\ncomponents:\r\n  - Button # one\r\n  - "Badge"\r\n---\r\n# Hero\n\nRecipe content here.';

const plan = (theme, ...sections) => `export default (
  <App name="Test" description="Test app">
    <Theme ${theme} />
    <Screen name="main" layout="scroll">${sections.map((section) => `<Section ${section} />`).join('')}</Screen>
  </App>
)`;

/** A shell that records its calls and returns `answer`. */
function shell(answer = { exitCode: 0, stdout: 'Applied\n', stderr: '' }) {
  const calls = [];
  const execute = (command, { cwd, timeoutMs, signal }) => {
    calls.push([command, cwd]);
    assert.ok(timeoutMs > 0 && !signal.aborted);
    return typeof answer === 'function' ? answer() : answer;
  };
  return { calls, execute };
}

const isInvalid = (words) => (error) => {
  assert.ok(error instanceof LoopgateError, String(error));
  assert.equal(error.code, 'invalid-argument');
  assert.match(error.message, words);
  return true;
};

test('a theme is applied and recipes are looked up by exact id', async () => {
  const terminal = shell();
  const recipes = [{ id: 'hero', content: 'wrong' }, { id: 'gumdrop-heroes', content: 'wrong' }, { id: 'gumdrop-hero', content: HERO }];
  const { host } = await project({ shell: terminal, recipes });
  const context = await resolvePlanContext(host, plan('mood="cyberpunk"', 'gumdrop="hero" variant="split-image"', 'gumdrop="pricing"', 'gumdrop="hero"'));
  assert.deepEqual(context.theme, { applied: true, command: 'theme preset cyberpunk --apply', output: 'Applied\n', mood: 'cyberpunk' });
  assert.deepEqual(terminal.calls, [['theme preset cyberpunk --apply', '/project']]);
  assert.deepEqual(context.sections, [
    { gumdrop: 'hero', variant: 'split-image', recipe: HERO, components: ['Button', 'Badge'], suggestedFile: 'src/sections/HeroSection.tsx' },
    { gumdrop: 'pricing', recipe: null, components: [], suggestedFile: 'src/sections/PricingSection.tsx' },
    { gumdrop: 'hero', recipe: HERO, components: ['Button', 'Badge'], suggestedFile: 'src/sections/HeroSection2.tsx' },
  ]);
});

test('every value of a generated theme is quoted as one argument', async () => {
  const { host } = await project({ shell: shell() });
  const theme = 'seed={180} pattern="triadic" mood="x; rm -rf src" font="Orbitron" shadowProfile="dramatic" radius="rounded"';
  const { command, font } = (await resolvePlanContext(host, plan(theme))).theme;
  assert.equal(command, 'theme generate --seed 180 --pattern triadic --mood "x; rm -rf src" --font "Orbitron" --shadow-profile dramatic --radius rounded --apply');
  assert.equal(font, 'Orbitron');
  for (const chroma of ['$(id)', '-x', '`id`', '"']) {
    const refused = (await resolvePlanContext(host, plan(`seed={1} pattern="triadic" chroma={${JSON.stringify(chroma)}}`))).theme;
    assert.deepEqual([refused.applied, refused.command], [false, '']);
    assert.match(refused.error, /`chroma` of <Theme>/);
  }
});

test('a failing shell gives a context with the error', async () => {
  const cases = [
    [shell({ exitCode: 1, stdout: '', stderr: 'Unknown preset' }), /Unknown preset/],
    [shell(() => { throw new Error('gone'); }), /gone/],
    [shell(() => Promise.reject('lost')), /lost/],
    [shell(() => 'no object'), /./],
    [undefined, /no shell/],
  ];
  for (const [terminal, words] of cases) {
    const { host } = await project({ shell: terminal });
    const { theme } = await resolvePlanContext(host, plan('mood="mono"'));
    assert.equal(theme.applied, false);
    assert.match(theme.error, words);
    assert.match(formatBuildInstructions({ theme, sections: [] }), /Theme ⚠️[^]*Could not apply/);
  }
});

test('a recipe function that fails for one id costs only that recipe', async () => {
  const asked = [];
  const recipes = async (id) => {
    asked.push(id);
    if (id === 'gumdrop-cta') throw new Error('down');
    if (id === 'gumdrop-faq') return { id, content: 7 };
    return id === 'gumdrop-hero' ? { id, content: HERO } : undefined;
  };
  const { host } = await project({ shell: shell(), recipes });
  const names = ['hero', 'cta', 'faq', 'team', 'hero'];
  const { sections } = await resolvePlanContext(host, plan('mood="mono"', ...names.map((name) => `gumdrop="${name}"`)));
  assert.deepEqual(sections.map(({ recipe }) => recipe), [HERO, null, null, null, HERO]);
  assert.deepEqual(asked, ['gumdrop-hero', 'gumdrop-cta', 'gumdrop-faq', 'gumdrop-team']);
});

test('invalid plans, recipes and contexts are rejected with their position', async () => {
  const { host } = await project({ shell: shell() });
  await assert.rejects(resolvePlanContext(host, 'export default (<App>\n<Theme'), (error) => isInvalid(/Line 2/)(error) && error.line === 2);
  await assert.rejects(resolvePlanContext(host, undefined), isInvalid(/must be a string/));
  await assert.rejects(resolvePlanContext({ ...host, recipes: {} }, plan('mood="mono"')), isInvalid(/`recipes`/));
  await assert.rejects(resolvePlanContext({ ...host, recipes: [{ id: 'a', content: '' }, { id: 'b' }] }, plan('mood="mono"')), isInvalid(/`recipes\[1\].content`/));
  assert.throws(() => formatBuildInstructions({ theme: {} }), isInvalid(/applied/));
  assert.throws(() => formatBuildInstructions(), isInvalid(/context/));
});

test('build instructions contain the theme, the recipes and the warnings', () => {
  const theme = { applied: true, command: 'theme preset mono --apply', output: 'Applied' };
  const sections = [
    { gumdrop: 'hero', variant: 'centered', recipe: '---\nname: hero\ncomponents: Button, Badge\n---\n# Hero\n\nRecipe content here.', components: ['Button', 'Badge'], suggestedFile: 'src/sections/HeroSection.tsx' },
    { gumdrop: 'pricing', recipe: null, components: [], suggestedFile: 'src/sections/PricingSection.tsx' },
  ];
  const text = formatBuildInstructions({ theme, sections }, 'Warnings:\nWARN [adjacent-grids]: consider varying layout');
  for (const words of ['Theme Applied', 'Do NOT run', '### hero (variant: centered)', 'src/sections/HeroSection.tsx', 'Button, Badge', 'Recipe content here', 'No recipe found for "pricing"', 'adjacent-grids']) {
    assert.ok(text.includes(words), `${words}: ${text}`);
  }
  assert.ok(!text.includes('name: hero'));
});

test('a run applies the theme once, before BUILD, and sends one event', async () => {
  const terminal = shell();
  const recipes = [{ id: 'gumdrop-hero', content: HERO }];
  const hero = call('write_file', { path: 'src/sections/HeroSection.tsx', content: 'export const HeroSection = () => <h1>Tea</h1>;\n' });
  const turns = [call('write_file', { path: '.ralph/plan.tsx', content: plan('mood="mono"', 'gumdrop="hero"', 'gumdrop="cta"') }), 'planned', call('shell', { command: 'ls && theme preset zen' }), call('shell', { command: 'theme modify --shift-hue 9' }), hero, summary, done];
  const { host, model, read } = await project({ turns, shell: terminal, recipes });
  const config = { gates: { disabled: ['app-exists', 'app-has-content', 'css-theme-complete', 'css-no-tailwind-directives', 'no-hardcoded-colors'] } };
  const run = runLoop({ ...host, work: task('Build a page about tea'), plan: 'required', config });
  const events = [];
  for await (const event of run) events.push(event);
  assert.equal((await run.result).success, true, (await run.result).message);
  const contexts = events.filter(({ type }) => type === 'plan-context');
  assert.equal(contexts.length, 1);
  assert.deepEqual(contexts[0].theme, { applied: true, command: 'theme preset mono --apply', output: 'Applied\n', mood: 'mono' });
  assert.deepEqual(contexts[0].sections, [
    { gumdrop: 'hero', suggestedFile: 'src/sections/HeroSection.tsx', found: true },
    { gumdrop: 'cta', suggestedFile: 'src/sections/CtaSection.tsx', found: false },
  ]);
  assert.deepEqual(terminal.calls.map(([command]) => command), ['theme preset mono --apply', 'theme modify --shift-hue 9']);
  assert.ok(model.requests[2].messages.some(({ content }) => content?.includes('Recipe content here.')));
  assert.equal(read('.ralph/theme.txt'), 'theme preset mono --apply');
});
