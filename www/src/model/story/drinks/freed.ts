/** A stall that recovers: the agent repeats an edit that cannot work, until the harness tells it what to do instead. */
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
  return [{ say: 'Only the hero changes; the plan says so.', calls: [write(PLAN, text)] }, done('That is the plan.')];
}

function build({ feedback, summary }: Observation): Turn[] {
  if (summary.includes('hero')) return [done('All of it is done.')];
  if (!feedback.includes('Stall Recovery')) return REPEATED;
  return [
    { say: 'The harness says that I am stuck: I should read what is there, and write the whole section anew.', calls: [read(HERO)] },
    { say: 'So the headline is another one than I thought. I write the section as a whole.', calls: [write(HERO, source('HeroSection'))] },
    { say: 'And a summary.', calls: [write(SUMMARY, '# Copy for adults\n\nRewrote the words of the hero: less generic, more adult. Its structure is as it was.\n')] },
    done(),
  ];
}

/** From memory, which is wrong; and since no iteration remembers the last one, it does so again. */
const REPEATED: Turn[] = [
  { say: 'I know that headline, so I only replace the line.', calls: [edit(HERO, '<h1>Unleash the Beast!</h1>', '<h1>Awake when it matters</h1>')] },
  { say: 'The line was not found. I try again in the next iteration.', calls: [] },
];
