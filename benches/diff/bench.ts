import { parse } from '@babel/parser';
import init, { diffPlan } from 'loopgate';
import { compareWarmAsync, publish } from '../measure.ts';
import { page } from './source.ts';

await init();

const source = page(5_000);
const plan = `export default (
  <App name="Tea"><Theme mood="zen" /><Screen name="home"><Section gumdrop="hero"><Field name="email" /></Section></Screen></App>
)`;

/** A project in memory with the plan and one source. */
const files = new Map([['/project/.ralph/plan.tsx', plan], ['/project/src/App.tsx', source]].map(([path, text]) => [path, new TextEncoder().encode(text)]));
const stat = (path: string) => {
  const size = files.get(path)?.length;
  if (size === undefined && path !== '/project/src') throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  return { isFile: () => size !== undefined, isDirectory: () => size === undefined, isSymbolicLink: () => false, size: size ?? 0, mtimeMs: 0 };
};
const fs = {
  readFile: async (path: string) => files.get(path) ?? stat(path),
  writeFile: async () => {},
  readdir: async () => ['App.tsx'],
  stat: async (path: string) => stat(path),
  lstat: async (path: string) => stat(path),
  mkdir: async () => {},
  rmdir: async () => {},
  unlink: async () => {},
  rename: async () => {},
};

const ours = async () => {
  const { entries } = await diffPlan({ fs: fs as never, dir: '/project' });
  const built = entries.filter(({ status }) => status === 'implemented');
  if (built.length !== 2) throw new Error(`the screen and its section are built: ${JSON.stringify(entries)}`);
  return entries;
};
const theirs = async () => parse(source, { sourceType: 'module', plugins: ['jsx', 'typescript'] });

publish([{ ...(await compareWarmAsync(`diffPlan, ${source.split('\n').length} lines`, ours, theirs)), goal: 4 }]);
