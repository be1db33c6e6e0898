/**
 * A short run of each recipe, with a first attempt that is not accepted. The agent has no memory: it answers from the files and its
 * prompt, so a run that is resumed ends like one that is not.
 */
const call = (name, args = {}) => [name, args];
const write = (path, content) => call('write_file', { path, content });
const done = call('complete_task');

const PLAN = `export default (
  <App name="Drinks" description="A shop">
    <Theme mood="minimal" />
    <Screen name="main">
      <Section gumdrop="hero" />
      <Section gumdrop="features" />
    </Screen>
  </App>
)
`;
const HERO = 'export const hero = 1;\n';
const FEATURES = 'export const features = 3;\n';
const SUMMARY = 'Built the page with two sections.';

/** `answer` gets the request's role, its texts, the number of its messages and a function that reads a file, and returns calls or a text. */
export const RECIPES = {
  task: {
    files: { 'index.html': '<h1>Drinks</h1>' },
    options: { work: { kind: 'task', message: 'Build a drinks page' }, plan: 'required' },
    async answer({ count, read }) {
      const holds = async (path, text) => (await read(path)) === text;
      if (!(await holds('.ralph/plan.tsx', PLAN))) return [write('.ralph/plan.tsx', PLAN)];
      if (!(await holds('.ralph/phase.txt', 'build'))) return 'The plan is written.';
      if (!(await holds('src/hero.ts', HERO))) return [write('src/hero.ts', HERO)];
      if (count > 2 && (await holds('src/features.ts', FEATURES)) && (await holds('.ralph/summary.md', SUMMARY))) return [done];
      return [write('src/features.ts', FEATURES), write('.ralph/summary.md', SUMMARY)];
    },
  },
  spec: {
    files: { 'specs/0001-foo.md': '# Foo\nExport foo.\n', 'index.html': '<p>hi</p>' },
    options: { work: { kind: 'spec' }, config: { git: { commit: true, after: 'return' } } },
    async answer({ role, texts, read }) {
      if (role === 'planner') return [write('specs/plans/0001-foo.md', '# Plan\n'), done];
      if (role === 'verifier') {
        const isDraft = (await read('src/foo.ts')) === 'draft\n';
        return [call('complete_task', isDraft ? { verdict: 'fix', reason: 'say more' } : { verdict: 'accept', reason: 'all there' })];
      }
      return [write('src/foo.ts', texts.includes('say more') ? 'final\n' : 'draft\n'), done];
    },
  },
  chunks: {
    files: {
      'src/app.ts': 'export {};\n',
      '.handoff/specs/shop/spec.md': '# Shop\n',
      '.handoff/specs/shop/chunks.json': JSON.stringify([{ id: 'a', title: 'Add a', description: 'Write src/a.ts.' }]),
    },
    options: { work: { kind: 'chunks', spec: 'shop' }, config: { reviews: { quick: true, deep: false, final: false }, summaries: { enabled: false } } },
    async answer({ role, texts, read }) {
      const issue = { file: 'src/a.ts', lines: [1, 1], type: 'race_condition', severity: 'high', description: 'A race.', suggestion: 'Lock.', agentPrompt: 'Take the lock first.' };
      if (role === 'reviewer') return JSON.stringify((await read('src/a.ts')) === 'racy\n' ? { decision: 'REVISE', issues: [issue] } : { decision: 'SHIP', issues: [] });
      return [write('src/a.ts', texts.includes('Take the lock') ? 'safe\n' : 'racy\n'), call('complete_task', { summary: 'Wrote it.' })];
    },
  },
};

/** The port of an agent that plays a recipe. */
export function agentOf({ answer }, read) {
  let turns = 0;
  return async ({ role, messages }) => {
    if (role === 'parser') return { content: '', tool_calls: [], finish_reason: 'stop' };
    const answered = await answer({ role, texts: messages.map(({ content }) => content ?? '').join('\n'), count: messages.length, read });
    if (typeof answered === 'string') return { content: answered, tool_calls: [], finish_reason: 'stop' };
    const number = ++turns;
    const calls = answered.map(([name, args], at) => ({ id: `${number}-${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
    return { content: '', tool_calls: calls, finish_reason: 'tool_calls' };
  };
}
