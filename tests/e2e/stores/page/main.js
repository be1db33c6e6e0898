// Runs commands of tests in the page or, for synchronous handles, in a worker.
import { answer } from './answer.js';

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

document.title = 'ready';
