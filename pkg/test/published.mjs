// Everything that a run publishes or stores.
import { inspect } from 'node:util';
import { runLoop } from 'loopgate';
import { task } from './project.mjs';

/** Runs a task to its end; everything that was published, and every file of the harness. */
export async function published({ host, fs }, more = {}) {
  const run = runLoop({ ...host, work: task(), limits: { maxIterations: 2 }, ...more });
  const seen = [];
  const end = await run.result.then((result) => ({ result }), (error) => ({ error }));
  for await (const event of run) seen.push(JSON.stringify(event));
  const texts = [];
  for (let error = end.error; error; error = error.cause) texts.push(inspect(error, { depth: 9, showHidden: true }), String(error.stack), JSON.stringify(error));
  const files = ['.loopgate', '.ralph'].flatMap((folder) =>
    fs.existsSync(`/project/${folder}`)
      ? fs.readdirSync(`/project/${folder}`, { recursive: true }).map((name) => `/project/${folder}/${name}`)
      : [],
  );
  const stored = files.filter((path) => fs.statSync(path).isFile()).map((path) => fs.readFileSync(path, 'utf8'));
  return { end, seen, all: [...seen, ...texts, ...stored, JSON.stringify(end.result ?? null)].join('\n') };
}
