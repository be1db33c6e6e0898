// A run with a scripted model, and the events of a run in another tab.
import { followRun, runLoop } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';

const WORK = { kind: 'task', message: 'Write notes' };

let run;
let proceed;
let followed;

/** Starts or resumes a run and waits for its first tool call. A turn `pause` waits for {@link proceedRun}. */
export async function startRun({ host }, turns, resume) {
  const paused = (turn) => () => new Promise((resolve) => (proceed = () => resolve(turn)));
  const model = scriptedModel(turns.map(({ pause, ...turn }) => (pause ? paused(turn) : turn)));
  run = runLoop({ ...host, model, work: WORK, resume });
  await Promise.race([run.result, firstCall(run)]);
  return run.id;
}

export function proceedRun() {
  proceed();
}

export const resultOf = () => run.result;

/** Follows a run from now on. */
export function startFollowing({ host }, runId) {
  followed = { events: [], over: false };
  const read = async () => {
    for await (const event of followRun(host, { runId })) followed.events.push(event);
    followed.over = true;
  };
  read().catch((error) => (followed.error = `${error}`));
}

export const readFollowed = () => followed;

async function firstCall(events) {
  for await (const { type } of events) if (type === 'tool-result') return;
}
