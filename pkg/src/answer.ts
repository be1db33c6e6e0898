import { toLoopgateError } from './errors.js';

/** What a call of the wasm module answers as JSON text; what it throws, as a `LoopgateError`. */
export async function answerOf<T>(call: () => Promise<string>): Promise<T> {
  try {
    return JSON.parse(await call()) as T;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}
