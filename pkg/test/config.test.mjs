import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, explainConfig, explainPolicy, loadConfig, saveConfig } from 'loopgate';
import { project } from './project.mjs';

const FILE = '.handoff/config.yaml';

const EXAMPLE = `# house configuration
tools:
  executors:
    - id: opencode
      type: opencode
      endpoint: "http://localhost:4096"
    - { id: claude-code, type: claude-code, command: claude }
  reviewers:
    - id: sonnet-quick
      checks: ["syntax", "types"]

defaults:
  executor: opencode # the cheap one
  quickReviewer: sonnet-quick
  maxIteratons: 3

rules:
  - "Use pnpm, never npm or yarn"
mood: calm
`;

const given = async (text) => (await project({ files: text === undefined ? { a: '' } : { [FILE]: text } })).host;

const isRefused = (details, ...words) => (error) => {
  assert.ok(error instanceof LoopgateError && error.code === 'invalid-config', `${error}`);
  for (const word of words) assert.match(error.message, word);
  for (const [name, value] of Object.entries(details)) assert.equal(error[name], value, name);
  return true;
};

test('a project without a file has the defaults, and nothing is written', async () => {
  const { host, fs } = await project({ files: { a: '' } });
  const { values, warnings } = await loadConfig(host);
  assert.deepEqual(values.defaults, { maxIterations: 5, maxRetries: 5, stopOnFailure: false });
  assert.deepEqual([values.verification.enabled, values.rules, values.git.branch, warnings], [false, [], 'spec', []]);
  assert.deepEqual(fs.readdirSync('/project'), ['a']);
});

test('the layers are merged, and each value is explained', async () => {
  const config = await loadConfig(await given(EXAMPLE), { global: 'defaults: { maxIterations: 3, maxRetries: 0 }', spec: { defaults: { executor: 'claude-code', maxRetries: null } } });
  assert.deepEqual(config.values.defaults, { executor: 'claude-code', maxIteratons: 3, maxIterations: 3, maxRetries: 0, quickReviewer: 'sonnet-quick', stopOnFailure: false });
  assert.equal(config.values.mood, 'calm');
  assert.deepEqual(explainConfig(config, 'defaults.executor'), { value: 'claude-code', layer: 'spec' });
  assert.deepEqual(explainConfig(config, 'defaults.maxRetries'), { value: 0, layer: 'global', line: 1 });
  assert.deepEqual(explainConfig(config, 'rules'), { value: ['Use pnpm, never npm or yarn'], layer: 'project', file: FILE, line: 18 });
  assert.deepEqual(explainConfig(config, 'tools.executors[1].command'), { value: 'claude', layer: 'project', file: FILE, line: 4 });
  assert.deepEqual(explainConfig(structuredClone(config), 'verification.enabled'), { value: false, layer: 'default' });
  assert.throws(() => explainConfig(config, 'defaults.maxIteration'), { code: 'not-found', message: /defaults\.maxIterations/ });
});

test('an unknown key is a warning with its place and the nearest key', async () => {
  const { warnings } = await loadConfig(await given(EXAMPLE));
  assert.deepEqual(
    warnings.map(({ id, file, line, column }) => [id, file, line, column]),
    [['unknown-key', FILE, 15, 3], ['unknown-key', FILE, 19, 1]],
  );
  assert.equal(warnings[0].suggestions[0], 'maxIterations');
});

test('an invalid layer is refused with its place, and left out by a lenient reading', async () => {
  const host = await given('defaults:\n  maxIterations: 21\n');
  await assert.rejects(loadConfig(host), isRefused({ path: FILE, line: 2, column: 18 }, /`defaults\.maxIterations`/, /1 to 20/));
  const { values, warnings } = await loadConfig(host, { global: 'rules: [a]', lenient: true });
  assert.deepEqual([values.defaults.maxIterations, values.rules], [5, ['a']]);
  assert.deepEqual(warnings.map(({ id, line }) => [id, line]), [['invalid-layer', 2]]);
  await assert.rejects(loadConfig(await given('a: [\n')), isRefused({ path: FILE }, /YAML/));
  await assert.rejects(loadConfig(await given(), { global: '- a' }), isRefused({ path: undefined, line: 1 }, /global/, /mapping/));
  await assert.rejects(loadConfig(await given(), { spec: { defaults: { planner: 'ghost' } } }), isRefused({ line: undefined }, /`defaults\.planner`/, /ghost/));
  await assert.rejects(loadConfig(await given(`# ${'x'.repeat(5_000_000)}`)), isRefused({ path: FILE }, /1000000/));
});

test('a save changes its values and nothing else', async () => {
  const { host, read } = await project({ files: { [FILE]: EXAMPLE } });
  await saveConfig(host, { defaults: { executor: 'claude-code', maxIteratons: null, maxIterations: 7 }, git: { branch: 'current' } });
  assert.equal(
    read(FILE),
    EXAMPLE.replace('executor: opencode #', 'executor: claude-code #').replace('  maxIteratons: 3\n', '  maxIterations: 7\n') + 'git:\n  branch: current\n',
  );
  const { values } = await loadConfig(host);
  assert.deepEqual([values.defaults.maxIterations, values.git.branch], [7, 'current']);
});

test('a save that is refused writes nothing, and one without a file creates it', async () => {
  const { host, read } = await project({ files: { a: '' } });
  await assert.rejects(saveConfig(host, { defaults: { maxIterations: 0 } }), isRefused({ path: FILE }, /`defaults\.maxIterations`/));
  assert.equal(read(FILE), null);
  await saveConfig(host, { rules: ['a: b'] });
  assert.equal(read(FILE), 'rules:\n  - "a: b"\n');
});

test('a wrong argument is refused by name', async () => {
  const host = await given();
  const config = await loadConfig(host);
  await assert.rejects(loadConfig(host, { global: 5 }), { code: 'invalid-argument', message: /`global`/ });
  await assert.rejects(loadConfig(host, { spec: () => 1 }), { code: 'invalid-argument', message: /`spec`/ });
  await assert.rejects(saveConfig(host, null), { code: 'invalid-argument', message: /`changes`/ });
  assert.throws(() => explainConfig(config, 5), { code: 'invalid-argument', message: /`key`/ });
  assert.throws(() => explainConfig({}, 'rules'), { code: 'invalid-argument', message: /`config`/ });
});

test('an unknown option is refused by name, because the configuration would silently lack a layer', async () => {
  const { host } = await project();
  await assert.rejects(loadConfig(host, { config: {} }), { code: 'invalid-argument', message: /`options\.config` is unknown.*`global`, `spec`/ });
  await assert.rejects(explainPolicy(host, { tool: 'shell' }, { globalConfig: '' }), { code: 'invalid-argument' });
  await assert.rejects(explainPolicy(host, { tool: 'shell', cmd: 'ls' }), { code: 'invalid-argument', message: /cmd/ });
});

test('steps of a verification that is not turned on are a warning', async () => {
  const steps = [{ name: 'Lint', command: 'lint' }];
  for (const [verification, ids] of [[{ steps }, ['unused-steps']], [{ steps, enabled: false }, []], [{ steps, enabled: true }, []]]) {
    const { host } = await project();
    const { warnings } = await loadConfig(host, { spec: { verification } });
    assert.deepEqual(warnings.map(({ id }) => id), ids, JSON.stringify(verification));
  }
});

test('the file of the project only narrows what the text of the IDE sets, and what is ignored is a warning with its line', async () => {
  const global = 'limits: { maxCostUsd: 3 }\nreviews: { task: final }\nmodels: { a: { inputPerMillion: 8, outputPerMillion: 8 } }\n';
  const text = 'limits:\n  maxCostUsd: 11\n  maxTokens: 5\nreviews:\n  task: off\nmodels:\n  a: { inputPerMillion: 0, outputPerMillion: 0 }\n';
  const { values, warnings } = await loadConfig(await given(text), { global });
  assert.deepEqual([values.limits.maxCostUsd, values.limits.maxTokens, values.reviews.task, values.models.a.inputPerMillion], [3, 5, 'final', 8]);
  assert.deepEqual(warnings.map(({ id, file, line }) => [id, file, line]), [['not-narrower', FILE, 5], ['not-narrower', FILE, 2], ['not-narrower', FILE, 7]]);
});
