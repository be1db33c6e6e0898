/** The stories of the scripted model, each with its project. */
import { template, type ProjectFiles } from '../../project/template';
import type { Observation } from './observe';
import * as asks from './asks/decide';
import * as landing from './landing/decide';
import * as claimed from './drinks/claimed';
import * as converted from './drinks/converted';
import * as freed from './drinks/freed';
import * as cart from './cart/decide';
import * as checkout from './checkout/decide';
import * as rolledBack from './drinks/rolledBack';
import * as opening from './drinks/opening';
import type { Turn } from './turn';

export interface Story {
  id: string;
  name: string;
  about: string;
  /** The first message of the user. */
  task: string;
  /** Suggestions for the next message. */
  next: readonly string[];
  files: ProjectFiles;
  /** A task that runs before the story, to prepare the project. */
  before?: Act;
  decide: Decide;
}

export interface Act {
  task: string;
  decide: Decide;
}

/** The next turn of a scripted agent. */
export type Decide = (seen: Observation) => Turn;

/** The counter makes the task that builds the shop number 2. */
const SHOP = { files: [...template, ['.ralph/task-counter.txt', '1'] as const], before: opening };

export const LANDING: Story = {
  id: 'landing',
  name: 'A landing page',
  about: 'Builds a page from an empty template. A plan and a completion claim are refused, and a gate finds a hard-coded color. Later tasks add the section that you name (pricing, FAQ, testimonials, team, newsletter).',
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
    about: 'The task is to add 2 drinks to the 8 of a shop. The agent converts four of them instead and forgets the copy. The scope gate fails with what is missing, and the agent fixes it.',
    next: [],
    ...SHOP,
    ...converted,
  },
  {
    id: 'claimed',
    name: 'A claim without work',
    about: 'The agent claims completion without changing a file, then with nothing but a comment. The harness compares the project with its state before the task and refuses both claims. Then the agent does the work.',
    next: [],
    ...SHOP,
    ...claimed,
  },
  {
    id: 'asks',
    name: 'A question to you',
    about: 'The policy of the project denies the archive, to the shell as well, and asks before the imprint changes. The run waits for your answer, also if you close the tab. Allow the call with a note such as “keep the old number as fax”, and the agent follows it.',
    next: [],
    ...asks,
  },
  {
    id: 'freed',
    name: 'A stall that recovers',
    about: 'The agent repeats an edit that cannot work. After three iterations without progress, the harness saves a snapshot and gives guidance, and the agent recovers.',
    next: [],
    ...SHOP,
    ...freed,
  },
  {
    id: 'rolled-back',
    name: 'A stall that is rolled back',
    about: 'The agent keeps trying to install a package that is not available. The second stall ends the task and rolls the project back.',
    next: [],
    ...SHOP,
    ...rolledBack,
  },
  {
    id: 'wrong-plan',
    name: 'A plan that is proved wrong',
    about: 'The project has a spec instead of a task: run it in the tab Specs. The plan leads to an implementation that cannot do what the spec asks for. The verifier invalidates the plan, the next planner gets the reason, and the second plan passes.',
    task: '',
    next: [],
    ...cart,
  },
  {
    id: 'checkout',
    name: 'A spec in chunks',
    about: 'The project has a spec instead of a task: propose its chunks in the tab Chunks, edit and approve them. One attempt does not build, one has a race condition, and one chunk fails, which blocks another. Run the spec again to ship both.',
    task: '',
    next: [],
    ...checkout,
  },
];
