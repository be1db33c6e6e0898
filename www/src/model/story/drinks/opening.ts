/** The task before the drinks stories. It builds the shop without mistakes. */
import { taskNumber, type Observation } from '../observe';
import { done, NOTHING_MORE, PLAN, SUMMARY, write, type Turn } from '../turn';
import { files, planSource } from './shop';

export const task = 'Redesign the landing page as VIBRANT ENERGY: 8 drinks, questions and answers, and a toggle between two moods.';

export function decide(seen: Observation): Turn {
  const turns = seen.phase === 'plan' ? [{ say: '', calls: [write(PLAN, planSource(taskNumber(seen.task)))] }, done('')] : BUILD;
  return turns[seen.turns] ?? NOTHING_MORE;
}

const BUILD: Turn[] = [
  { say: '', calls: files.map(([path, text]) => write(path, text)) },
  { say: '', calls: [write(SUMMARY, 'Redesigned the landing page as VIBRANT ENERGY with 8 drinks.\n\nA hero, 8 drinks in src/data/flavors.ts, questions and answers, a call to action, and a toggle between two moods.\n')] },
  done(''),
];
