/** A stall that ends in a rollback: the agent wants a package that cannot be had, and nothing that it is told changes its mind. */
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
  return [{ say: 'The flavors become a carousel; nothing else changes.', calls: [write(PLAN, text)] }, done('That is the plan.')];
}

function build(seen: Observation): Turn[] {
  const look: Turn = { say: 'I look at the list of flavors.', calls: [read(FEATURES)] };
  return [look, ...(seen.source(FEATURES) === source('Carousel') ? REPEATED : FIRST)];
}

const FIRST: Turn[] = [
  { say: 'There is a package for carousels, so I use it.', calls: [write(FEATURES, source('Carousel'))] },
  { say: 'A summary, and that is it.', calls: [write(SUMMARY, '# A carousel\n\nThe flavors are slides of a carousel now, made with the package swiper.\n')] },
  done(),
];

const REPEATED: Turn[] = [
  { say: 'The package is missing, so I install it.', calls: [shell('npm install swiper')] },
  { say: 'That did not work. The next iteration should try once more.', calls: [] },
];
