/**
 * A short task. The agent has no memory: it answers from the files, so a run that is resumed ends like one that is not.
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

/** `answer` gets the number of the request's messages and a function that reads a file, and returns calls or a text. */
export const TASK = {
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
};

/** The port of the agent. */
export function agent(read) {
  let turns = 0;
  return async ({ role, messages }) => {
    if (role === 'parser') return { content: '', tool_calls: [], finish_reason: 'stop' };
    const answered = await TASK.answer({ count: messages.length, read });
    if (typeof answered === 'string') return { content: answered, tool_calls: [], finish_reason: 'stop' };
    const number = ++turns;
    const calls = answered.map(([name, args], at) => ({ id: `${number}-${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
    return { content: '', tool_calls: calls, finish_reason: 'tool_calls' };
  };
}
