// Runs commands of tests in the page or, for synchronous handles, in a worker.
import wasm from 'loopgate/loopgate_bg.wasm?url';
import { answer } from './answer.js';
import { copyStore } from './copies.js';

let worker;
const open = new Map();

globalThis.ask = (question) => (question.kind === 'opfs-sync' ? askWorker(question) : answer(question));

function askWorker(question) {
  worker ??= startWorker();
  const id = open.size === 0 ? 1 : Math.max(...open.keys()) + 1;
  return new Promise((resolve) => {
    open.set(id, resolve);
    worker.postMessage({ id, question });
  });
}

function startWorker() {
  const started = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  started.onmessage = ({ data: { id, result } }) => {
    open.get(id)(result);
    open.delete(id);
  };
  started.onerror = ({ message }) => {
    for (const resolve of open.values()) resolve({ error: { message } });
  };
  return started;
}

let compiled;

/** Asks a worker that has nothing else to do, and ends with its answer or at the `stop` of the question. */
globalThis.askOnce = async (question) => {
  const module = await (compiled ??= WebAssembly.compileStreaming(fetch(wasm)));
  const { promise, resolve } = Promise.withResolvers();
  const once = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  once.onmessage = ({ data: { result } }) => (once.terminate(), resolve(result));
  once.onerror = ({ message }) => (once.terminate(), resolve({ error: { message } }));
  once.postMessage({ id: 0, question: { ...question, module } });
  return promise;
};
Object.assign(globalThis, { copyStore });

document.title = 'ready';
