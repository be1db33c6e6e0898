/** The stories that the scripted model can play, each with the project it begins in. */
import { template, type ProjectFiles } from '../../project/template';
import type { Observation } from './observe';
import * as landing from './landing/decide';
import * as claimed from './drinks/claimed';
import * as converted from './drinks/converted';
import * as freed from './drinks/freed';
import * as rolledBack from './drinks/rolledBack';
import * as opening from './drinks/opening';
import type { Turn } from './turn';

export interface Story {
  id: string;
  name: string;
  /** What happens in it. */
  about: string;
  /** What to ask the agent for. */
  task: string;
  /** What to ask for once that is done. */
  next: readonly string[];
  /** With what its project begins. */
  files: ProjectFiles;
  /** A task that came before it, and left its work behind. */
  before?: Act;
  decide: Decide;
}

/** What an agent was asked for, and did. */
export interface Act {
  task: string;
  decide: Decide;
}

/** The next turn of a scripted agent. */
export type Decide = (seen: Observation) => Turn;

/** The shop's first task was long ago. */
const SHOP = { files: [...template, ['.ralph/task-counter.txt', '1'] as const], before: opening };

export const LANDING: Story = {
  id: 'landing',
  name: 'A landing page',
  about: 'Builds a page from nothing: a plan is refused, "complete" is not believed, a gate finds a colour by hand. Later tasks add the section you name (pricing, FAQ, testimonials, team, newsletter).',
  task: 'Build a landing page for Driftwood, a small coffee roastery by the sea.',
  next: ['Add a pricing section', 'Add a FAQ section', 'Add testimonials'],
  files: template,
  decide: landing.decide,
};

export const STORIES: readonly Story[] = [
  LANDING,
  {
    id: 'converted',
    name: 'Two more drinks, done wrong',
    about: 'A shop with 8 drinks shall get 2 more. The agent converts four instead and forgets the copy; the scope gate counts, refuses, and says what is missing. Then the agent does it right.',
    next: [],
    ...SHOP,
    ...converted,
  },
  {
    id: 'claimed',
    name: 'Done, with nothing changed',
    about: 'The agent writes a summary and claims completion without changing a file. The harness compares the project with its state before the task and refuses. Then the agent does the work.',
    next: [],
    ...SHOP,
    ...claimed,
  },
  {
    id: 'freed',
    name: 'A stall that recovers',
    about: 'The agent repeats an edit that cannot work. After three iterations without progress the harness saves a snapshot and tells it what to do instead, which works.',
    next: [],
    ...SHOP,
    ...freed,
  },
  {
    id: 'rolled-back',
    name: 'A stall that is rolled back',
    about: 'The agent needs a package that cannot be had, and tries it again and again. The second recovery ends the task, and the project is as it was before.',
    next: [],
    ...SHOP,
    ...rolledBack,
  },
];
