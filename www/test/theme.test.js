import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRegistry as registry } from 'loopgate';
import { contrast, linearRgb, variables } from './contrast.js';
import { load } from './load.js';

const { theme } = await load('theme/command.ts');
const { MOODS, PRESETS } = await load('theme/settings.ts');
const { patternNames } = await load('theme/palette.ts');
const { RADII, SHADOWS } = await load('theme/look.ts');

const SHEET = '/project/src/index.css';
/** The variables that the gate `css-theme-complete` requires. */
const BASE = ['background', 'card', 'popover', 'primary', 'secondary', 'muted', 'accent', 'destructive', 'success', 'warning', 'sidebar', 'sidebar-primary', 'sidebar-accent'];
const PAIRS = BASE.map((name) => [name === 'background' ? 'foreground' : `${name}-foreground`, name]);
const COLORS = [...PAIRS.flat(), 'border', 'input', 'ring', 'chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'sidebar-border', 'sidebar-ring'];
const STYLE = ['radius', 'font-sans', 'font-serif', 'font-mono'];

/** Runs `theme …` on a sheet; returns its output and the new sheet. */
async function run(line, sheet = '') {
  const files = new Map(sheet === null ? [] : [[SHEET, sheet]]);
  const fs = {
    readFile: async (path) => files.get(path) ?? Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })),
    writeFile: async (path, text) => void files.set(path, text),
  };
  const said = await theme(typeof line === 'string' ? line.split(' ') : line, { fs, inProject: (path) => `/project/${path}` });
  return { said, sheet: files.get(SHEET) };
}

function readable(sheet, name) {
  for (const scope of [':root', '.dark']) {
    const found = variables(sheet, scope);
    for (const [text, background] of [...PAIRS, ['muted-foreground', 'background'], ['muted-foreground', 'card'], ['primary', 'background'], ['destructive', 'card'], ['success', 'card']]) {
      const ratio = contrast(found[text], found[background]);
      assert.ok(ratio >= 4.5, `${name}, ${scope}: ${text} ${found[text]} on ${background} ${found[background]} is ${ratio.toFixed(2)}`);
    }
    assert.ok(contrast(found.ring, found.background) >= 3, `${name}, ${scope}: ring`);
  }
}

test('the tables have exactly the names of the registry', () => {
  assert.deepEqual(Object.keys(PRESETS).sort(), [...registry.presets].sort());
  assert.deepEqual(Object.keys(MOODS).sort(), [...registry.moods].sort());
  assert.deepEqual([...patternNames].sort(), [...registry.patterns].sort());
  assert.deepEqual(Object.keys(SHADOWS).sort(), [...registry.shadowProfiles].sort());
  assert.deepEqual(Object.keys(RADII).sort(), [...registry.radii].sort());
  for (const settings of [...Object.values(PRESETS), ...Object.values(MOODS)]) {
    assert.ok(registry.patterns.includes(settings.pattern) && registry.shadowProfiles.includes(settings.shadowProfile) && registry.radii.includes(settings.radius), JSON.stringify(settings));
    assert.ok(registry.fonts.includes(settings.font) && registry.fonts.includes(settings.monoFont), JSON.stringify(settings));
  }
});

for (const name of [...registry.presets, ...registry.moods]) {
  test(`${name} is a complete theme with readable text`, async () => {
    const { said, sheet } = await run(`preset ${name} --apply`);
    assert.match(said, new RegExp(`^Applied the (preset|mood) ${name} `));
    const [light, dark] = [variables(sheet, ':root'), variables(sheet, '.dark')];
    assert.deepEqual([...COLORS, ...STYLE].filter((variable) => !(variable in light)), []);
    assert.deepEqual(COLORS.filter((variable) => !(variable in dark)), []);
    for (const value of COLORS.flatMap((variable) => [light[variable], dark[variable]])) {
      for (const channel of linearRgb(value)) assert.ok(channel > -0.003 && channel < 1.005, `${value} is in sRGB`);
    }
    readable(sheet, name);
  });
}

test('text is readable with every seed, pattern and mood', async () => {
  const seeds = [0, 45, 110, 200, 265, 320];
  for (const seed of seeds) {
    for (const pattern of registry.patterns) {
      for (const mood of registry.moods) {
        const line = `generate --seed ${seed} --pattern ${pattern} --mood ${mood}`;
        readable((await run(`${line} --apply`)).sheet, line);
      }
    }
  }
});

test('text is readable with every chroma', async () => {
  for (const [at, pattern] of registry.patterns.entries()) {
    for (const chroma of ['none', 'low', 'medium', 'high', 'vivid', '0.4']) {
      const line = `generate --seed ${at * 33} --pattern ${pattern} --chroma ${chroma}`;
      readable((await run(`${line} --apply`)).sheet, line);
    }
  }
});

test('applying a theme is idempotent, and another theme replaces it', async () => {
  const once = (await run('preset cyberpunk --apply')).sheet;
  const again = await run('preset cyberpunk --apply', once);
  assert.equal(again.sheet, once);
  assert.match(again.said, /already has/);
  const other = (await run('preset mono --apply')).sheet;
  assert.equal((await run('preset mono --apply', once)).sheet, other);
});

test('the rest of the style sheet does not change', async () => {
  const mine = '@import "./fonts.css";\n\n/* Mine. */\n:root {\n  --gap: 4px;\n  --primary: red; /* to be replaced */\n  font-family: serif;\n}\n\n@media print {\n  :root { --primary: black; }\n}\n\n.card { color: var(--primary) }\n:root { --primary: blue; --other: 1 }\n';
  const { sheet } = await run('preset mono --apply', mine);
  const kept = ['@import "./fonts.css";', '/* Mine. */', '--gap: 4px;', 'font-family: serif;', '@media print {\n  :root { --primary: black; }\n}', '.card { color: var(--primary) }', ':root { --other: 1 }'];
  for (const part of kept) assert.ok(sheet.includes(part), `${part} in\n${sheet}`);
  assert.equal(sheet.match(/--primary:/g).length, 3, 'one for light, one for dark, one for print');
  assert.ok(sheet.indexOf('@import') < sheet.indexOf(':root'));
  assert.equal((await run('preset mono --apply', sheet)).sheet, sheet);
});

test('a theme is written to the layer of the existing theme', async () => {
  const { sheet } = await run('preset mono --apply', '@layer base {\n  :root {\n    --background: white;\n  }\n  .dark {\n    --background: black;\n  }\n}\n');
  assert.match(sheet, /^@layer base \{\n {2}:root \{\n {4}--background: oklch/);
  assert.equal(sheet.match(/:root|\.dark/g).length, 2);
});

test('invalid CSS is not changed', async () => {
  await assert.rejects(run('preset mono --apply', ':root {\n  --a: 1;\n'), /1:1.*Unclosed block/);
});

test('without --apply, the theme is only printed', async () => {
  const { said, sheet } = await run('generate --seed 45 --pattern analogous', null);
  assert.match(said, /^:root \{\n {2}--background: oklch\(.*\);\n {2}--foreground: [\s\S]*;\n\}\n\n\.dark \{\n {2}--background: [\s\S]*;\n\}\n\n\/\* Not applied/);
  assert.equal(sheet, undefined);
});

test('modify shifts the hues except for colors with a meaning', async () => {
  const before = (await run('generate --seed 45 --pattern analogous --mood organic --apply')).sheet;
  const { sheet } = await run('modify --shift-hue 180 --apply', before);
  const [was, is] = [variables(before, ':root'), variables(sheet, ':root')];
  const hue = (value) => Number(/ ([\d.]+)\)$/.exec(value)[1]);
  assert.ok(Math.abs(((hue(is.primary) - hue(was.primary) + 360) % 360) - 180) < 8, `${was.primary} became ${is.primary}`);
  assert.equal(is.destructive, was.destructive);
  assert.equal(is['font-serif'], was['font-serif']);
  for (const turn of [40, -75, 123, 260]) {
    const turned = (await run(`modify --shift-hue ${turn} --scale-chroma 1.6 --apply`, before)).sheet;
    for (const scope of [':root', '.dark']) {
      const found = variables(turned, scope);
      for (const [text, background] of PAIRS) assert.ok(contrast(found[text], found[background]) >= 4.5, `${turn}: ${text}`);
    }
  }
});

test('modify sets radius, shadows and fonts, also in a theme written by hand', async () => {
  const { sheet } = await run('modify --radius pill --shadow-profile none --font=Lora --apply', ':root {\n  --background: #fff;\n  --foreground: hsl(0 0% 10%);\n}\n');
  const found = variables(sheet, ':root');
  assert.deepEqual([found.background, found.foreground, found.radius, found.shadow, found['font-body']], ['#fff', 'hsl(0 0% 10%)', '1.5rem', 'none', 'var(--font-serif)']);
  assert.match(found['font-serif'], /^"Lora", /);
});

test('a font is put into the stack of its family', async () => {
  const fonts = async (...args) => variables((await run(['generate', '--seed', '1', '--pattern', 'triadic', ...args, '--apply'])).sheet, ':root');
  const sans = await fonts('--font', 'Plus Jakarta Sans', '--mono-font', 'Geist Mono');
  assert.match(sans['font-sans'], /^"Plus Jakarta Sans", system-ui/);
  assert.match(sans['font-mono'], /^"Geist Mono", /);
  assert.equal(sans['font-body'], 'var(--font-sans)');
  const mono = await fonts('--font', 'Fira Code');
  assert.match(mono['font-mono'], /^"Fira Code", /);
  assert.equal(mono['font-body'], 'var(--font-mono)');
});

for (const [line, expected] of [
  ['preset cyberpnk --apply', /preset or mood "cyberpnk".*Did you mean cyberpunk\?.*theme list/],
  ['preset north', /Did you mean northern-lights\?/],
  ['preset', /needs one name/],
  ['preset mono cyberpunk', /needs one name/],
  ['preset constructor', /preset or mood "constructor"/],
  ['generate --seed 400 --pattern triadic', /--seed is "400": .*from 0 to 360/],
  ['generate --seed  --pattern triadic', /--seed is ""/],
  ['generate --seed 1 --pattern triad', /pattern "triad".*Did you mean triadic\?/],
  ['generate --seed 1', /needs --seed and --pattern/],
  ['generate --seed 1 --pattern triadic --mood playfull', /mood or preset "playfull".*Did you mean playful\?/],
  ['generate --seed 1 --pattern triadic --chroma loud', /--chroma is "loud": .*from 0 to 0\.4, or none, low/],
  ['generate --seed 1 --pattern triadic --radius round', /radius "round".*Did you mean rounded\?/],
  ['generate --seed 1 --pattern triadic --shadow-profile soft', /shadow profile "soft"/],
  ['generate --seed 1 --patern triadic', /option --patern.*Did you mean --pattern\?/],
  ['generate --seed 1 --pattern --apply', /--pattern needs a value/],
  ['modify --apply', /needs at least one change/],
  ['modify --shift-hue 999', /from -360 to 360/],
  ['presets', /command "presets"/],
]) {
  test(`theme ${line} is refused`, async () => {
    await assert.rejects(run(line, null), (error) => error.constructor.name === 'UsageError' && expected.test(error.message));
  });
}

test('modify requires a theme', async () => {
  await assert.rejects(run('modify --shift-hue 5', 'p {}'), /src\/index\.css has no theme yet/);
});

test('list prints every name of the registry', async () => {
  const { said } = await run('list');
  for (const name of ['presets', 'moods', 'patterns', 'fonts', 'shadowProfiles', 'radii'].flatMap((list) => registry[list])) assert.ok(said.includes(name), name);
});
