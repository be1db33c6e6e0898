// What every model adapter does, over HTTP. An adapter joins with one file that calls `conformance` with
// - `name`, in the names of the tests,
// - `create({ baseUrl, apiKey, headers?, fetch?, stream? })`, a model for the server at this address, which has no path; for dialogues
//   with the mock server, the model needs a name that its provider gives to a reasoning model,
// - `dialect`, how its services write (see dialects.mjs),
// - `streams`, the values of the option `stream` (default: true and false),
// - `structured(text)`, the answer of the mock server for a structured answer with this text (default: a text),
// - `skips`, reasons by the name of a case that does not apply.
import { test } from 'node:test';
import { answerFaults } from './answer-faults.mjs';
import { KEY } from './asking.mjs';
import { dialogues } from './dialogues.mjs';
import { errorFaults } from './error-faults.mjs';
import { streamFaults } from './stream-faults.mjs';

export function conformance({ streams = [true, false], structured = (content) => ({ content }), skips = {}, ...adapter }) {
  const unused = new Set(Object.keys(skips));
  const context = {
    ...adapter,
    streams,
    structured,
    create: (options) => adapter.create({ apiKey: KEY, ...options }),
    /** Registers a test of this adapter. */
    check(what, run) {
      unused.delete(what);
      test(`${adapter.name}: ${what}`, { skip: skips[what] ?? false, timeout: 600_000 }, run);
    },
  };
  for (const cases of [dialogues, streamFaults, answerFaults, errorFaults]) cases(context);
  if (unused.size > 0) throw new Error(`\`skips\` names cases that do not exist: ${[...unused].join(', ')}`);
}
