import type { ModelPort } from './types/model.js';

/** The port with the size of its model's context window, if it is given. */
export const withWindow = (port: ModelPort, contextTokens: number | undefined): ModelPort => (contextTokens === undefined ? port : Object.assign(port, { contextTokens }));
