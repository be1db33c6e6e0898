import { stretchLimits } from '../../limits.js';
import { answer } from './answer.js';

stretchLimits();

globalThis.onmessage = async ({ data: { id, question } }) => postMessage({ id, result: await answer(question, () => postMessage({ id, result: { value: null } })) });
