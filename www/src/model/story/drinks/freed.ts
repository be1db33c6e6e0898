/** A stall that recovers: the agent repeats an edit that cannot work until it gets guidance from the harness. */
import { owedMarkers, taskNumber, type Observation } from '../observe';
import { done, edit, NOTHING_MORE, PLAN, read, SUMMARY, write, type Turn } from '../turn';
import { HERO, marker, planSource, source } from './shop';

export const task = 'Refine the ad copy in the hero: less generic, more adult.';

export function decide(seen: Observation): Turn {
  const turns = seen.phase === 'plan' ? plan(seen) : build(seen);
  return turns[seen.turns] ?? NOTHING_MORE;
}

function plan({ task, feedback }: Observation): Turn[] {
  const number = taskNumber(task);
  const text = planSource(number, { hero: [marker(number, 'MODIFY', 'Refine the ad copy: less generic, more adult'), ...owedMarkers(feedback)] });
  return [{ say: 'According to the plan, only the hero changes.', calls: [write(PLAN, text)] }, done('The plan is written.')];
}

function build({ feedback, summary }: Observation): Turn[] {
  if (summary.includes('hero')) return [done('Everything is done.')];
  if (!feedback.includes('Stall Recovery')) return REPEATED;
  return [
    { say: 'The harness reports a stall. I read the section and write it again completely.', calls: [read(HERO)] },
    { say: 'The headline is not the one that I expected. I write the complete section.', calls: [write(HERO, source('HeroSection'))] },
    { say: 'I write the summary.', calls: [write(SUMMARY, '# Copy for adults\n\nRewrote the copy of the hero: less generic, more adult. Its structure did not change.\n')] },
    done(),
  ];
}

/** The agent guesses the old text. Because iterations share no memory, every iteration repeats it. */
const REPEATED: Turn[] = [
  { say: 'I know that headline, so I only replace the line.', calls: [edit(HERO, '<h1>Unleash the Beast!</h1>', '<h1>Awake when it matters</h1>')] },
  { say: 'The line was not found. I try again in the next iteration.', calls: [] },
];
