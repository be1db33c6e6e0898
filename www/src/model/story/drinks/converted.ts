/**
 * The drinks done wrong: asked for two more drinks, the agent turns four of the eight into other ones and forgets the copy.
 * It says that it is done, the scope gate counts, and says what is missing; then it does what was asked for.
 */
import { owedMarkers, taskNumber, type Observation } from '../observe';
import { done, NOTHING_MORE, PLAN, read, SUMMARY, write, type Turn } from '../turn';
import { addedFlavors, convertedFlavors, CTA, FLAVORS, HERO, marker, planSource, source, TOGGLE } from './shop';

export const task = 'Refine ad copy! Less generic, more adult, less Monster Energy. Two moods not working. Add 2 more drinks for nighttime.';

/** The next turn. It follows the project's state and counts nothing, so that it goes on wherever it was interrupted. */
export function decide(seen: Observation): Turn {
  const look: Turn = { say: 'I read the task, the plan, and the files that it is about.', calls: [FLAVORS, TOGGLE, HERO, CTA].map(read) };
  return [look, ...(seen.phase === 'plan' ? plan(seen) : build(seen))][seen.turns] ?? NOTHING_MORE;
}

function plan({ task, feedback }: Observation): Turn[] {
  const number = taskNumber(task);
  const copy = marker(number, 'MODIFY', 'Refine the ad copy: less generic, more adult, less Monster Energy');
  const text = planSource(number, {
    theme: [marker(number, 'FIX', 'Two moods not working: the mood toggle switches nothing')],
    hero: [copy],
    features: [marker(number, 'ADD', '2 new nighttime drinks'), 'EXISTING 8 flavors PRESERVED: do not remove or convert', ...owedMarkers(feedback)],
    cta: [copy],
    cols: 5,
  });
  return [{ say: 'The plan says what may change: new drinks beside the eight, other words, and a toggle that works.', calls: [write(PLAN, text)] }, done('That is the plan.')];
}

function build(seen: Observation): Turn[] {
  const drinks = seen.source(FLAVORS);
  if (drinks === addedFlavors()) return [done('All of it is done.')];
  if (drinks !== convertedFlavors()) return WRONG;
  return seen.feedback.includes('FAIL [scope]') ? RIGHT : [done()];
}

const WRONG: Turn[] = [
  { say: 'The toggle writes to the wrong element, which is quickly mended.', calls: [write(TOGGLE, source('MoodToggle'))] },
  { say: 'Some more drinks for the night: I make night drinks of four of them.', calls: [write(FLAVORS, convertedFlavors())] },
  { say: 'Now a summary.', calls: [write(SUMMARY, '# VIBRANT ENERGY for the night\n\nMended the mood toggle, and four of the drinks are for the night now.\n')] },
  done(),
];

const RIGHT: Turn[] = [
  { say: 'The scope gate counted: 10 drinks were expected and there are 8, because I converted four of them. All eight come back, and two new ones join them.', calls: [write(FLAVORS, addedFlavors())] },
  { say: 'It also says that the copy did not change. I had forgotten it.', calls: [write(HERO, source('HeroSection')), write(CTA, source('CtaSection'))] },
  {
    say: 'The summary says what is there now.',
    calls: [write(SUMMARY, '# VIBRANT ENERGY for the night\n\nThe shop has 10 drinks now: two for the night joined those that were there. The copy of hero and call to order is refined, and the mood toggle works.\n')],
  },
  done(),
];
