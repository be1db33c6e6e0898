import * as commands from './commands.js';
import { storeOf } from './store.js';

/** Runs a command of a test. Errors are passed as values. */
export async function answer({ kind, name, command, args }) {
  try {
    return { value: await commands[command](await storeOf(kind, name), ...args) };
  } catch (error) {
    const { name, code, message, stack, path, holder } = error ?? {};
    return { error: { name, code, message: message ?? String(error), stack, path, holder } };
  }
}
