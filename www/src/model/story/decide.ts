/**
 * The story, as decisions from what the agent sees. It makes the mistakes that loopgate exists for:
 * a plan with a section that does not exist, "complete" before any work, a colour by hand.
 *
 * Because it follows the project's state and no counter, it goes on wherever it was interrupted.
 */
import type { Observation, Turn } from './observe';
import {
  appSource, FIRST_SECTIONS, flawedSectionSource, HARD_CODED, LATER_SECTIONS, planSource, sectionFile, sectionSource, summarySource, themeSource,
} from './page';

const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });
const COMPLETE = { name: 'complete_task', args: {} };
const done: Turn = { say: 'That should be all of it.', calls: [COMPLETE] };

/** The turns of one iteration, after the agent looked around. */
export function decide(seen: Observation): Turn[] {
  const task = readTask(seen);
  const planned = plannedSections(seen.plan);
  if (!isPlanned(seen, task, planned)) return planTurns(task, planned);
  return buildTurns(seen, task, planned);
}

interface Task {
  number: number;
  /** The section that a later task adds. */
  adds?: string;
}

function readTask({ task, plan }: Observation): Task {
  const number = Number(/^Counter:\s*(\d+)/m.exec(task)?.[1] ?? 1);
  const marked = new RegExp(`gumdrop="([a-z-]+)">\\s*(?:\\d+\\W+)?\\{/\\* TASK-${number} \\[ADD\\]`).exec(plan)?.[1];
  if (number < 2) return { number };
  const missing = LATER_SECTIONS.filter(([gumdrop]) => !plannedSections(plan).includes(gumdrop));
  const adds = marked ?? missing.find(([, words]) => words.test(task))?.[0] ?? missing[0]?.[0];
  return { number, adds };
}

const plannedSections = (plan: string): string[] => [...plan.matchAll(/<Section gumdrop="([a-z-]+)"/g)].map((match) => match[1]!);

function isPlanned(seen: Observation, task: Task, planned: string[]): boolean {
  if (/FAIL \[/.test(seen.feedback) && !seen.phase.includes('build')) return false;
  return planned.includes('hero') && (!task.adds || planned.includes(task.adds));
}

function planTurns(task: Task, planned: string[]): Turn[] {
  const path = '.ralph/plan.tsx';
  if (task.adds) {
    const sections = planned.includes('hero') ? planned : FIRST_SECTIONS;
    const say = `I add a ${task.adds} section to the plan and mark the others as not concerned.`;
    return [{ say, calls: [write(path, planSource([...new Set([...sections, task.adds])], task.number, task.adds))] }];
  }
  if (planned.includes('heros')) {
    const say = 'The harness refused the plan: "heros" is no section that exists. It suggests "hero".';
    return [{ say, calls: [write(path, planSource(FIRST_SECTIONS, task.number))] }];
  }
  const plan = planSource(['heros', ...FIRST_SECTIONS.slice(1)], task.number);
  return [{ say: 'I write a plan for the landing page, and since that was the hard part I say that I am done.', calls: [write(path, plan), COMPLETE] }];
}

function buildTurns(seen: Observation, task: Task, planned: string[]): Turn[] {
  const judged = /no-hardcoded-colors/.test(seen.feedback);
  const scaffold = seen.app.includes('to get started');
  if (scaffold && !/app-has-content/.test(seen.feedback) && !/Section\.tsx|sections/.test(seen.listing)) {
    return [{ say: 'The plan is valid, so the work is done.', calls: [COMPLETE] }];
  }
  if (scaffold || !planned.every((gumdrop) => seen.app.includes(sectionFile(gumdrop).slice('src/sections/'.length, -'.tsx'.length)))) {
    return scaffold ? firstBuild(planned) : laterBuild(planned, task);
  }
  if (judged && seen.hero.includes(HARD_CODED)) {
    const say = `A gate found ${HARD_CODED} in the hero. The stylesheet has a rule with the theme's colour, so the style goes.`;
    return [{ say, calls: [write(sectionFile('hero'), sectionSource('hero'))] }, done];
  }
  if (/FAIL|fail/.test(seen.feedback) || seen.summary.trim().length < 20) return [{ say: 'I write everything once more, as it should be.', calls: pageFiles(planned, task.adds) }, done];
  return [done];
}

function firstBuild(planned: string[]): Turn[] {
  return [
    { say: 'Now I really build it. The theme first: every colour becomes a variable, for light and dark.', calls: [write('src/index.css', themeSource)] },
    {
      say: 'One file for each section of the plan.',
      calls: planned.map((gumdrop) => write(sectionFile(gumdrop), gumdrop === 'hero' ? flawedSectionSource(gumdrop) : sectionSource(gumdrop))),
    },
    { say: 'The app shows them, and a summary says what there is.', calls: [write('src/App.tsx', appSource(planned)), write('.ralph/summary.md', summarySource(planned))] },
    done,
  ];
}

function laterBuild(planned: string[], { adds }: Task): Turn[] {
  const missing = adds ?? planned.at(-1)!;
  return [
    { say: `I write the ${missing} section.`, calls: [write(sectionFile(missing), sectionSource(missing))] },
    { say: 'The app shows it below the others.', calls: [write('src/App.tsx', appSource(planned)), write('.ralph/summary.md', summarySource(planned, adds))] },
    done,
  ];
}

function pageFiles(planned: string[], adds?: string) {
  return [
    write('src/index.css', themeSource),
    ...planned.map((gumdrop) => write(sectionFile(gumdrop), sectionSource(gumdrop))),
    write('src/App.tsx', appSource(planned)),
    write('.ralph/summary.md', summarySource(planned, adds)),
  ];
}
