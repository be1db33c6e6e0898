/** A completion claim without work. The agent claims completion without a change, the harness refuses, and the agent makes the change. */
import type { Observation } from '../observe';
import { done, edit, NOTHING_MORE, read, SUMMARY, write, type Turn } from '../turn';
import { CTA } from './shop';

export const task = 'Fix the broken link in the CTA.';

/** The broken address of the button, and the working one. */
export const BROKEN = 'mailto:orders@example.com';
export const FIXED = 'mailto:orders@vibrant.example?subject=My%20order';

export function decide(seen: Observation): Turn {
  const look: Turn = { say: 'I read the section with the link.', calls: [read(CTA)] };
  return [look, ...build(seen)][seen.turns] ?? NOTHING_MORE;
}

function build(seen: Observation): Turn[] {
  if (seen.source(CTA).includes(FIXED)) return [done('The link is fixed.')];
  return seen.feedback.includes('FAIL [work-done]') ? WORK : CLAIM;
}

const CLAIM: Turn[] = [
  { say: 'The link looks fine to me, so I only write the summary.', calls: [write(SUMMARY, '# The link in the CTA\n\nFixed the broken link of the button.\n')] },
  done('The link is fixed.'),
];

const WORK: Turn[] = [
  { say: 'The harness found no changed file. The button has a wrong address, so I replace it.', calls: [edit(CTA, BROKEN, FIXED)] },
  { say: 'Now the summary is true.', calls: [write(SUMMARY, '# The link in the CTA\n\nThe button opens a mail to the address of the shop, with a subject.\n')] },
  done(),
];
