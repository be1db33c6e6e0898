// Random histories of an agent and a user in one folder. HISTORIES=500 runs more of them, SEED=17 only this one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnfinishedRun } from 'loopgate';
import { SPEC, WRITES, chunk, done, drive, feedback, project, refused, revise, ship, turn } from './project.mjs';
import { FILES, World, generator } from './world.mjs';

const only = process.env.SEED ? [Number(process.env.SEED)] : undefined;
const seeds = only ?? Array.from({ length: Number(process.env.HISTORIES ?? 60) }, (_, at) => at + 1);

for (const seed of seeds) {
  test(`whose change it is holds in the random history ${seed}`, async (t) => {
    const world = new World(project(t, { files: FILES, chunks: [chunk('a', { maxIterations: 4 })] }), generator(seed));
    world.p.put('.env', 'old\n');
    try {
      await play(world);
    } catch (error) {
      error.message = `SEED=${seed}: ${error.message}\n${world.log.join('\n')}`;
      throw error;
    }
  });
}

/** Up to three pages over the folder. The last one neither closes nor leaves anything open. */
async function play(world) {
  for (let sessions = 1; ; sessions++) {
    const isLast = sessions === 3;
    const outcome = await session(world, { isLast });
    world.checkCommits();
    if (isOver(world, outcome) || isLast) return;
    for (let acts = Math.floor(world.random() * 3); acts > 0; acts--) world.user();
  }
}

/** Checks how a run ended. */
function isOver(world, { result, error, isClosed }) {
  world.log.push(`the page ends: ${result ? `${result.reason}, ${result.message}` : `${error.code}, ${error.message}`}`);
  if (error) {
    if (error.code !== 'conflict') assert.ok(isClosed || /the provider refuses/.test(error.message), error.message);
    else if (!isClosed) {
      assert.ok([...world.close].some((path) => error.message.includes(path)), `a conflict without a cause: ${error.message}`);
      world.checkMine('.env');
    }
    return false;
  }
  if (result.success) {
    world.checkMine('.env');
    world.checkStatus();
  } else {
    assert.ok(['aborted', 'max-attempts'].includes(result.reason), result.message);
    world.checkClean(world.p.text(`${SPEC}/iterations/state.json`));
  }
  return true;
}

async function session(world, { isLast }) {
  const { p, chance, random } = world;
  const closes = !isLast && chance(0.6);
  // No command is cut: nothing separates what it changed from what the user changes before the resume.
  let writes = closes ? Math.ceil(random() * 150) : Infinity;
  const moment = random() < 0.5 ? 'before' : 'after';
  const unfinished = await findUnfinishedRun(p.page());
  const resume = unfinished && chance(0.6) ? unfinished.runId : undefined;
  world.log.push(`a page ${resume ? 'resumes' : 'starts'}${closes ? `, and closes ${moment} write ${writes}` : ''}`);
  let isNew = false;
  let left = 0;
  let revisions = 0;
  const acts = (run) => {
    const path = chance(0.4) && world.user();
    if (path && chance(0.3)) run.edited([path]);
  };
  const builder = ({ run, request }) => {
    if (isNew) {
      world.log.push('a new attempt');
      world.checkClean(feedback(request.messages[1].content));
      left = 1 + Math.floor(random() * 3);
    }
    const begins = isNew;
    isNew = false;
    acts(run);
    if (!closes && chance(isLast ? 0.15 : 0.04)) run.abort('stop');
    else if (!closes && !isLast && chance(0.05)) return refused;
    if (begins) return turn(world.create(), world.agent(!closes));
    return left-- > 0 ? turn(world.agent(!closes)) : turn(done());
  };
  const reviewer = ({ run }) => {
    acts(run);
    const verdict = revisions < 2 && chance(0.5) ? revise : ship;
    revisions += verdict === revise ? 1 : 0;
    world.log.push(verdict === revise ? 'REVISE' : 'SHIP');
    return verdict;
  };
  const page = p.page({ on: (method) => (WRITES.includes(method) && --writes === 0 ? moment : undefined) });
  const outcome = await drive(page, {
    ...(resume && { resume }),
    shell: (command, run) => world.shell(command, run),
    script: { builder: Array(40).fill(builder), reviewer: [reviewer] },
    onEvent: (event) => {
      world.note(event);
      isNew ||= event.type === 'attempt-started';
    },
  });
  return { ...outcome, isClosed: page.isClosed() };
}
