// A run over one chunk in which the user works as well, at the places that `script` names.
import { changes, revert, runLoop } from 'loopgate';
import { DIR } from './store.js';

/**
 * Runs the chunks of the spec `shop`. `script` has the turns of each role; a turn is `{ user?, calls?, text? }`: first what the
 * user writes (`null` deletes), then the answer. Commands of the shell write the files that they name as JSON.
 */
export async function runChunks({ host, fs }, script, options = {}) {
  const edit = async (files = {}) => {
    for (const [path, text] of Object.entries(files)) {
      await (text === null ? fs.promises.unlink(`${DIR}/${path}`) : fs.promises.writeFile(`${DIR}/${path}`, text));
    }
  };
  const prompts = [];
  const model = async ({ role, messages }) => {
    prompts.push(messages[1].content);
    const turns = script[role] ?? [];
    const { user, abort, calls = [], text = '' } = (turns.length > 1 ? turns.shift() : turns[0]) ?? {};
    await edit(user);
    if (abort) run.abort('the user stops it');
    const tool_calls = calls.map(([name, args], at) => ({ id: `${prompts.length}-${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
    return { content: text, tool_calls, finish_reason: calls.length ? 'tool_calls' : 'stop' };
  };
  const shell = {
    execute: async (command) => {
      const { files, user } = JSON.parse(command);
      await edit(files);
      await edit(user);
      run.edited(Object.keys(user ?? {}));
      return { exitCode: 0, stdout: '', stderr: '' };
    },
  };
  const run = runLoop({ ...host, model, shell, work: { kind: 'chunks', spec: 'shop' }, config: { reviews: { quick: true, deep: false, final: false }, summaries: { enabled: false } }, ...options });
  const result = await run.result;
  return { runId: run.id, reason: result.reason, message: result.message, prompts };
}

export const changesOf = ({ host }, runId) => changes(host, { runId });
export const revertRun = ({ host }, runId) => revert(host, { runId });
