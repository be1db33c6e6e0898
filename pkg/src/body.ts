import { ServerError } from './server-error.js';

/** What an answer of a model's server may have: a server may send without end. */
export const ANSWER_BYTES = 32 * 1024 * 1024;

/** Of a refusal only the message is read. */
const REFUSAL_BYTES = 64 * 1024;

/** What is read after the end of an answer, and for how long. */
const REST = { bytes: 64 * 1024, ms: 1_000 };

/**
 * The bytes of an answer, each part of which calls `onBytes`. More than `ANSWER_BYTES` reject. Leaving the loop cancels the body, unless
 * the answer is complete by then.
 */
export async function* bytesOf(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
  isComplete: () => boolean = () => false,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      length += value.length;
      if (length > ANSWER_BYTES) throw tooLong('answer', ANSWER_BYTES);
      yield value;
    }
  } finally {
    if (isComplete()) void drain(reader);
    else await reader.cancel().catch(() => {});
  }
}

/**
 * Reads the rest of a body whose answer is complete, because browsers show a request as cancelled otherwise. The answer does
 * not wait for it: a server may keep the connection open, which is then cancelled.
 */
export async function drain(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const cancel = () => reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, REST.ms);
  try {
    for (let length = 0; length <= REST.bytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      length += value instanceof Uint8Array ? value.length : 0;
    }
    await cancel();
  } catch {
    // The call was aborted or the connection broke: the answer is complete anyway.
  } finally {
    clearTimeout(timer);
  }
}

/** The start of a refusal. */
export async function startOf(response: Response): Promise<string> {
  if (!response.body) return response.text();
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for await (const bytes of bytesOf(response.body)) {
    text += decoder.decode(bytes, { stream: true });
    length += bytes.length;
    if (length >= REFUSAL_BYTES) break;
  }
  return text;
}

/** The error for what is longer than allowed. It is not retried, because the next answer would be as long. */
export function tooLong(what: string, bytes: number): ServerError {
  return new ServerError(`the model's server sent more than ${bytes / 1024 / 1024} MB in one ${what}; check its address`, undefined);
}
