// A project in memory with the real isomorphic-git.
import git from 'isomorphic-git';
import init from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { scriptedModel } from 'loopgate/testing';
import { memfs } from 'memfs';

/** A host over memfs, `/project` with the given files, and a model that plays the given turns. */
export async function project({ files = { 'README.md': 'hello' }, turns = [], ...more } = {}) {
  await init();
  const { fs } = memfs(Object.fromEntries(Object.entries(files).map(([path, text]) => [`/project/${path}`, text])));
  const model = scriptedModel(turns);
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir: '/project' }), dir: '/project', model, ...more };
  const read = (path) => (fs.existsSync(`/project/${path}`) ? fs.readFileSync(`/project/${path}`, 'utf8') : null);
  return { host, fs, model, read };
}

/** A turn that calls tools: `call('write_file', { path, content })`. */
export const call = (name, args = {}) => ({ toolCalls: [{ name, args }] });

export const summary = call('write_file', { path: '.ralph/summary.md', content: 'The notes that were asked for are written.' });
export const done = call('complete_task');

/** A task that needs three turns and passes. */
export const notes = [call('write_file', { path: 'notes.md', content: 'notes' }), summary, done];

export const task = (message = 'Write notes') => ({ kind: 'task', message });

/** A `work.parsed` of an IDE. */
export const parsed = {
  type: 'fresh',
  title: 'Notes',
  requirements: [{ marker: 'ADD', description: 'notes of the day' }],
  scope: { preserve: ['README.md'], affectedFiles: [] },
  parsedBy: 'model',
};
