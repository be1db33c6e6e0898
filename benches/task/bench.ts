import init, { parseTask, type TaskContext } from 'loopgate';
import { compareWarmAsync, publish } from '../measure.ts';

await init();

/** The time limit. */
const BOUND_US = 1_000;
/** Calls per measurement, because one call is shorter than the clock's resolution. */
const CALLS = 20;

const MESSAGE =
  'The prices on the menu page run into each other on my phone, please fix that. When you are there add 2 more drinks for the evening ' +
  'and a form where people can book a table, with name, date and number of guests. Keep the 8 drinks that we have, and leave the footer alone.';

const context: TaskContext = {
  planExists: true,
  planSections: ['hero', 'grid-list', 'form-layout', 'newsletter', 'footer'],
  lastSummary: 'A landing page with a hero, 8 drinks in a grid, a newsletter and a footer.',
  fileList: ['src/App.tsx', 'src/index.css', ...Array.from({ length: 60 }, (_, at) => `src/sections/Part${at}Section.tsx`)],
};

const ours = async () => {
  for (let call = 1; call < CALLS; call += 1) await parseTask(MESSAGE, context);
  const task = await parseTask(MESSAGE, context);
  if (task.requirements.length < 2) throw new Error(`the message asks for several things: ${JSON.stringify(task)}`);
  return task;
};

const { ours: taken } = await compareWarmAsync('', ours, async () => null);
publish([{ name: 'parseTask, limit 1 ms', ours: taken / CALLS, theirs: BOUND_US, goal: 1 }]);
