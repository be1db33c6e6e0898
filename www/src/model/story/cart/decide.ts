/**
 * A wrong plan: the spec asks for exact totals, but the first plan adds up euros as fractions. The implementation follows it, and the
 * verifier finds that no fix can help: the plan is wrong. The second planner gets the reason and plans with cents.
 */
import { template, type ProjectFiles } from '../../../project/template';
import type { Observation } from '../observe';
import { done, NOTHING_MORE, read, write, type Turn } from '../turn';

const shop = import.meta.glob<string>('./shop/**/*', { query: '?raw', import: 'default', eager: true });
const written = import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true });
const source = (name: string): string => written[`./files/${name}`] ?? '';

const SPEC = 'specs/0001-cart-total.md';
const PLAN = 'specs/plans/0001-cart-total.md';
const CART = 'src/cart.ts';
const APP = 'src/App.tsx';

const own: ProjectFiles = Object.entries(shop).map(([path, text]) => [path.replace('./shop/', ''), text] as const);
export const files: ProjectFiles = [...template.filter(([path]) => path !== APP), ...own];

export function decide(seen: Observation): Turn {
  const turns = seen.phase === 'plan' ? plan(seen) : seen.phase === 'review' ? review(seen) : build(seen);
  return turns[seen.turns] ?? NOTHING_MORE;
}

function plan({ section }: Observation): Turn[] {
  const look: Turn = { say: 'I read the spec and the files that it concerns.', calls: [SPEC, CART, APP].map(read) };
  if (!section('the reason')) return [look, { say: 'The prices are in euros, so I plan to add them up and to format the sum.', calls: [write(PLAN, source('first-plan.md'))] }, done('The plan is written.')];
  return [look, { say: 'The last plan is void: sums of fractions are not exact. I plan with cents instead.', calls: [write(PLAN, source('second-plan.md'))] }, done('The second plan is written.')];
}

function build({ section }: Observation): Turn[] {
  const cart = section(PLAN).includes('cents') ? 'cents.ts' : 'floats.ts';
  return [
    { say: 'I follow the plan.', calls: [write(CART, source(cart))] },
    { say: 'The page shows the total.', calls: [write(APP, source('App.tsx'))] },
    done('The spec is implemented.'),
  ];
}

function review(seen: Observation): Turn[] {
  const look: Turn = { say: 'I compare the spec with the difference and read the function.', calls: [read(CART)] };
  if (seen.source(CART).includes('toFixed')) {
    return [look, { say: 'The plan itself is wrong: whatever the implementation does, it has to round.', calls: [verdict('invalidate_plan', 'The plan adds up euros as fractions: 3 × 0.1 is 0.30000000000000004, so an exact total is impossible. Store prices in cents.')] }];
  }
  return [look, { say: 'Prices are whole cents, and nothing is rounded. Everything that the spec asks for is there.', calls: [verdict('accept', 'The total is exact: prices are whole cents, and the page shows the total.')] }];
}

const verdict = (verdict: string, reason: string) => ({ name: 'complete_task', args: { verdict, reason } });
