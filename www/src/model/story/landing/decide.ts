/**
 * The landing page story. The agent makes typical mistakes: an unknown section in the plan, a completion claim before any work, a
 * hard-coded color. Each turn depends only on the project's state, so that the story continues after any interruption.
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

export function decide(seen: Observation): Turn {
  const turns = iteration(seen);
  return turns[seen.turns] ?? NOTHING_MORE;
}

function iteration(seen: Observation): Turn[] {
  const paths = [APP, HERO, SHEET].filter((path) => seen.listing.includes(path));
  const task = readTask(seen);
  const look: Turn = { say: 'I read the task, my notes and the app.', calls: paths.map(read) };
  return [look, ...(seen.phase === 'plan' ? planTurns(seen, task) : buildTurns(seen, task))];
}

/** With a page from an earlier task, the task adds a section. From the template, it builds the page. */
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
    const say = owed.length ? 'The harness refused the plan: markers of the task are missing.' : 'The harness refused the plan: there is no gumdrop "heros". It suggests "hero".';
    return [{ say, calls: [write(PLAN, planSource(FIRST_SECTIONS, task.number, undefined, owed))] }, done('The plan is written.')];
  }
  const say = 'I write a plan for the landing page and claim completion.';
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

  if (scaffold && !built.length && !judged) return [{ say: 'The plan is valid, so I claim completion.', calls: [COMPLETE] }];
  if (scaffold) return [...themeTurns(seen), ...firstBuild(sections)];
  if (adds && !app.includes(componentName(adds))) {
    const update = planned.length && !planned.includes(adds) ? [later(seen.plan, task)] : [];
    return [...update, ...laterBuild(sections, adds)];
  }
  if (hero.includes(HARD_CODED) && seen.feedback.includes('no-hardcoded-colors')) {
    const say = `A gate found ${HARD_CODED} in the hero. The style sheet has a theme color for it, so I remove the inline style.`;
    return [{ say, calls: [write(HERO, sectionSource('hero'))] }, done()];
  }
  if (seen.summary.trim().length < 20) return [{ say: 'The summary is missing.', calls: [write(SUMMARY, summarySource(sections, adds))] }, done()];
  return seen.feedback.includes('FAIL [') && !hero.includes(HARD_CODED) ? [...themeTurns(seen), ...repair(sections, adds)] : [done()];
}

/** After a plan, the harness has applied the theme. */
function themeTurns({ source }: Observation): Turn[] {
  if (source(SHEET).includes('--sidebar-ring:')) return [];
  return [{ say: 'There is no theme, so I apply one with variables for light and dark.', calls: [shell(THEME_COMMAND)] }];
}

function firstBuild(sections: string[]): Turn[] {
  const files = sections.map((gumdrop) => write(sectionFile(gumdrop), gumdrop === 'hero' ? flawedSectionSource(gumdrop) : sectionSource(gumdrop)));
  return [
    { say: 'I build the page: one file per section, as in the build instructions.', calls: files },
    { say: 'I add the sections to the app and write the summary.', calls: [write(STYLES, stylesSource), write(APP, appSource(sections)), write(SUMMARY, summarySource(sections))] },
    done(),
  ];
}

function later(plan: string, { number, adds }: Task, owed: string[] = []): Turn {
  const planned = plannedSections(plan);
  const sections = [...new Set([...(planned.length ? planned : FIRST_SECTIONS), adds!])];
  return { say: `I add the ${adds} section to the plan and mark the others as unchanged.`, calls: [write(PLAN, planSource(sections, number, adds, owed))] };
}

function laterBuild(sections: string[], adds: string): Turn[] {
  return [
    { say: `I write the ${adds} section.`, calls: [write(sectionFile(adds), sectionSource(adds))] },
    { say: 'I add it to the app, below the others.', calls: [write(APP, appSource(sections)), write(SUMMARY, summarySource(sections, adds))] },
    done(),
  ];
}

/** For feedback that the story does not expect. */
function repair(sections: string[], adds?: string): Turn[] {
  const files = sections.map((gumdrop) => write(sectionFile(gumdrop), sectionSource(gumdrop)));
  const rest = [write(STYLES, stylesSource), write(APP, appSource(sections)), write(SUMMARY, summarySource(sections, adds))];
  return [{ say: 'I write all files again.', calls: [...files, ...rest] }, done()];
}

const isScaffold = (app: string): boolean => !app || app.includes('to get started');
const plannedSections = (plan: string): string[] => [...plan.matchAll(/<Section gumdrop="([a-z-]+)"/g)].map((match) => match[1]!);
