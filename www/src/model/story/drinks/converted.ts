/**
 * Converted drinks: the task asks for two more, but the agent converts four of the eight and forgets the copy. The scope gate fails
 * with what is missing, and the agent fixes it.
 */
import { owedMarkers, taskNumber, type Observation } from '../observe';
import { done, NOTHING_MORE, PLAN, read, SUMMARY, write, type Turn } from '../turn';
import { addedFlavors, convertedFlavors, CTA, FLAVORS, HERO, marker, planSource, source, TOGGLE } from './shop';

export const task = 'Refine ad copy! Less generic, more adult, less Monster Energy. Two moods not working. Add 2 more drinks for nighttime.';

/** Depends only on the project's state, so that the story continues after any interruption. */
export function decide(seen: Observation): Turn {
  const look: Turn = { say: 'I read the task, the plan and the affected files.', calls: [FLAVORS, TOGGLE, HERO, CTA].map(read) };
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
  return [{ say: 'The plan lists the changes: two new drinks, a new copy and a toggle that works.', calls: [write(PLAN, text)] }, done('The plan is written.')];
}

function build(seen: Observation): Turn[] {
  const drinks = seen.source(FLAVORS);
  if (drinks === addedFlavors()) return [done('Everything is done.')];
  if (drinks !== convertedFlavors()) return WRONG;
  return seen.feedback.includes('FAIL [scope]') ? RIGHT : [done()];
}

const WRONG: Turn[] = [
  { say: 'The toggle writes to the wrong element. I fix that first.', calls: [write(TOGGLE, source('MoodToggle'))] },
  { say: 'For more drinks at night, I convert four of them to night drinks.', calls: [write(FLAVORS, convertedFlavors())] },
  { say: 'I write the summary.', calls: [write(SUMMARY, '# VIBRANT ENERGY for the night\n\nFixed the mood toggle and converted four drinks to night drinks.\n')] },
  done(),
];

const RIGHT: Turn[] = [
  { say: 'The scope gate expected 10 drinks and found 8, because I converted four of them. I restore all eight and add two new ones.', calls: [write(FLAVORS, addedFlavors())] },
  { say: 'It also found no change of the copy, which I forgot.', calls: [write(HERO, source('HeroSection')), write(CTA, source('CtaSection'))] },
  {
    say: 'I update the summary.',
    calls: [write(SUMMARY, '# VIBRANT ENERGY for the night\n\nThe shop has 10 drinks: two for the night were added to the existing 8. The copy of the hero and the call to action is refined, and the mood toggle works.\n')],
  },
  done(),
];
