import { answer } from './answer.js';

globalThis.onmessage = async ({ data: { id, question } }) => postMessage({ id, result: await answer(question) });
