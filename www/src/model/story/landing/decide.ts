/**
 * The story, as decisions from what the agent sees. It makes the mistakes that loopgate exists for:
 * a plan with a section that does not exist, "complete" before any work, a colour by hand.
 *
 * Because it follows the project's state and counts nothing, it goes on wherever it was interrupted.
 */
import { owedMarkers, taskNumber, type Observation } from '../observe';
import { COMPLETE, done, NOTHING_MORE, PLAN, read, shell, SUMMARY, write, type Turn } from '../turn';
import {
  addMarker, APP, appSource, componentName, FIRST_SECTIONS, flawedSectionSource, HARD_CODED, HERO, LATER_SECTIONS, planSource, sectionFile, sectionSource, SHEET, STYLES, stylesSource, summarySource, THEME_COMMAND,
} from './page';

interface Task {
  number: number;
  /** The section that a later task adds. */
  adds?: string;
}

/** The next turn. The first of every iteration reads what the prompt does not show. */
export function decide(seen: Observation): Turn {
  const turns = iteration(seen);
  return turns[seen.turns] ?? NOTHING_MORE;
}

function iteration(seen: Observation): Turn[] {
  const paths = [APP, HERO, SHEET].filter((path) => seen.listing.includes(path));
  const task = readTask(seen);
  const look: Turn = { say: 'I read the task, my notes, and what the app looks like.', calls: paths.map(read) };
  return [look, ...(seen.phase === 'plan' ? planTurns(seen, task) : buildTurns(seen, task))];
}

/** A page that was there before the task (whose summary is still empty) gets a section; a scaffold becomes the page. */
function readTask({ task, plan, summary, source }: Observation): Task {
  const number = taskNumber(task);
  const planned = plannedSections(plan);
  const begun = planned.find((gumdrop) => plan.includes(addMarker(number, gumdrop)));
  if (begun || isScaffold(source(APP)) || summary.trim()) return { number, adds: begun };
  const free = LATER_SECTIONS.filter(([gumdrop]) => !planned.includes(gumdrop));
  return { number, adds: free.find(([, words]) => words.test(task))?.[0] ?? free[0]?.[0] };
}

function planTurns({ plan, feedback }: Observation, task: Task): Turn[] {
  const owed = owedMarkers(feedback);
  if (task.adds) return [later(plan, task, owed), done('The plan is up to date.')];
  if (plan.includes('"heros"') || owed.length) {
    const say = owed.length ? 'The harness refused the plan: the task asks for more than it says.' : 'The harness refused the plan: no section is called "heros". It suggests "hero".';
    return [{ say, calls: [write(PLAN, planSource(FIRST_SECTIONS, task.number, undefined, owed))] }, done('That is the plan.')];
  }
  const say = 'I write a plan for the landing page, and since that was the hard part I say that I am done.';
  return [{ say, calls: [write(PLAN, planSource(['heros', ...FIRST_SECTIONS.slice(1)], task.number)), COMPLETE] }];
}

function buildTurns(seen: Observation, task: Task): Turn[] {
  const { adds } = task;
  const [app, hero] = [seen.source(APP), seen.source(HERO)];
  const planned = plannedSections(seen.plan);
  const sections = [...new Set([...(planned.length ? planned : FIRST_SECTIONS), ...(adds ? [adds] : [])])];
  const built = sections.filter((gumdrop) => seen.listing.includes(sectionFile(gumdrop)));
  const scaffold = isScaffold(app);
  const judged = seen.feedback.includes('FAIL [');

  if (scaffold && !built.length && !judged) return [{ say: 'The plan is valid, so the work is done.', calls: [COMPLETE] }];
  if (scaffold) return [...themeTurns(seen), ...firstBuild(sections)];
  if (adds && !app.includes(componentName(adds))) {
    const update = planned.length && !planned.includes(adds) ? [later(seen.plan, task)] : [];
    return [...update, ...laterBuild(sections, adds)];
  }
  if (hero.includes(HARD_CODED) && seen.feedback.includes('no-hardcoded-colors')) {
    const say = `A gate found ${HARD_CODED} in the hero. The style sheet has the theme's colour for it, so the style goes.`;
    return [{ say, calls: [write(HERO, sectionSource('hero'))] }, done()];
  }
  if (seen.summary.trim().length < 20) return [{ say: 'The summary is missing.', calls: [write(SUMMARY, summarySource(sections, adds))] }, done()];
  return seen.feedback.includes('FAIL [') && !hero.includes(HARD_CODED) ? [...themeTurns(seen), ...repair(sections, adds)] : [done()];
}

/** Where a plan was checked, the harness has set its theme. */
function themeTurns({ source }: Observation): Turn[] {
  if (source(SHEET).includes('--sidebar-ring:')) return [];
  return [{ say: 'No theme is set, so I set one: every colour becomes a variable, for light and for dark.', calls: [shell(THEME_COMMAND)] }];
}

function firstBuild(sections: string[]): Turn[] {
  const files = sections.map((gumdrop) => write(sectionFile(gumdrop), gumdrop === 'hero' ? flawedSectionSource(gumdrop) : sectionSource(gumdrop)));
  return [
    { say: 'So I really build it: one file for each section, where the build instructions want it.', calls: files },
    { say: 'The app shows them in the colours of the theme, and a summary says what there is.', calls: [write(STYLES, stylesSource), write(APP, appSource(sections)), write(SUMMARY, summarySource(sections))] },
    done(),
  ];
}

function later(plan: string, { number, adds }: Task, owed: string[] = []): Turn {
  const planned = plannedSections(plan);
  const sections = [...new Set([...(planned.length ? planned : FIRST_SECTIONS), adds!])];
  return { say: `The plan gets the ${adds} section; the others are marked as not concerned.`, calls: [write(PLAN, planSource(sections, number, adds, owed))] };
}

function laterBuild(sections: string[], adds: string): Turn[] {
  return [
    { say: `I write the ${adds} section.`, calls: [write(sectionFile(adds), sectionSource(adds))] },
    { say: 'The app shows it below the others.', calls: [write(APP, appSource(sections)), write(SUMMARY, summarySource(sections, adds))] },
    done(),
  ];
}

/** The feedback says something that the story does not foresee: everything as it should be. */
function repair(sections: string[], adds?: string): Turn[] {
  const files = sections.map((gumdrop) => write(sectionFile(gumdrop), sectionSource(gumdrop)));
  const rest = [write(STYLES, stylesSource), write(APP, appSource(sections)), write(SUMMARY, summarySource(sections, adds))];
  return [{ say: 'I write everything once more, as it should be.', calls: [...files, ...rest] }, done()];
}

const isScaffold = (app: string): boolean => !app || app.includes('to get started');
const plannedSections = (plan: string): string[] => [...plan.matchAll(/<Section gumdrop="([a-z-]+)"/g)].map((match) => match[1]!);
