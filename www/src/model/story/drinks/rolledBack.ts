/** A stall that ends in a rollback: the agent tries to install a package that is not available and ignores all guidance. */
import { owedMarkers, taskNumber, type Observation } from '../observe';
import { done, NOTHING_MORE, PLAN, read, shell, SUMMARY, write, type Turn } from '../turn';
import { FEATURES, marker, planSource, source } from './shop';

export const task = 'Change the list of flavors into a carousel.';

export function decide(seen: Observation): Turn {
  const turns = seen.phase === 'plan' ? plan(seen) : build(seen);
  return turns[seen.turns] ?? NOTHING_MORE;
}

function plan({ task, feedback }: Observation): Turn[] {
  const number = taskNumber(task);
  const text = planSource(number, { features: [marker(number, 'MODIFY', 'The list of flavors becomes a carousel'), 'EXISTING 8 flavors PRESERVED', ...owedMarkers(feedback)] });
  return [{ say: 'The flavors become a carousel; nothing else changes.', calls: [write(PLAN, text)] }, done('The plan is written.')];
}

function build(seen: Observation): Turn[] {
  const look: Turn = { say: 'I read the list of flavors.', calls: [read(FEATURES)] };
  return [look, ...(seen.source(FEATURES) === source('Carousel') ? REPEATED : FIRST)];
}

const FIRST: Turn[] = [
  { say: 'There is a package for carousels, so I use it.', calls: [write(FEATURES, source('Carousel'))] },
  { say: 'I write the summary.', calls: [write(SUMMARY, '# A carousel\n\nThe flavors are slides of a carousel from the package swiper.\n')] },
  done(),
];

const REPEATED: Turn[] = [
  { say: 'The package is missing, so I install it.', calls: [shell('npm install swiper')] },
  { say: 'The installation failed. I try again in the next iteration.', calls: [] },
];
