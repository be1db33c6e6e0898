import * as commands from './commands.js';
import * as crashes from './crashes.js';
import { Stop } from './stops.js';
import { storeOf } from './store.js';

/** Runs a command of a test. Errors are passed as values. `onStop` is called where the question says that its worker stops. */
export async function answer({ kind, name, command, args, stop, module }, onStop) {
  try {
    const end = stop && new Stop(stop, onStop);
    return { value: await { ...commands, ...crashes }[command](await storeOf(kind, name, { end, module }), ...args) };
  } catch (error) {
    const { name, code, message, stack, path, holder } = error ?? {};
    return { error: { name, code, message: message ?? String(error), stack, path, holder } };
  }
}
