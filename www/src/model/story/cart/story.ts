/**
 * A wrong plan: the spec asks for exact totals, but the first plan adds up euros as fractions. The implementation follows it, and the
 * verifier finds that no fix can help: the plan is wrong. The second planner gets the reason and plans with cents.
 */
import { template, type ProjectFiles } from '../../../project/template';
import { asRead, complete, done, has, read, textsOf, write, type Scene, type Story, type Turn } from '../story';

const shop = import.meta.glob<string>('./shop/**/*', { query: '?raw', import: 'default', eager: true });
const file = textsOf(import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true }), 'files');
const own: ProjectFiles = Object.entries(shop).map(([path, text]) => [path.replace('./shop/', ''), text] as const);

const SPEC = 'specs/0001-cart-total.md';
const PLAN = 'specs/plans/0001-cart-total.md';
const CART = 'src/cart.ts';
const APP = 'src/App.tsx';

const LOOK: Turn = { say: 'I read the spec and the files that it concerns.', calls: [SPEC, CART, APP].map(read) };
const COMPARE: Turn = { say: 'I compare the spec with the difference and read the function.', calls: [read(CART)] };
const verdict = (say: string, verdict: string, reason: string): Turn => ({ say, calls: [complete({ verdict, reason })] });
const building = (cart: string): Scene['turns'] => [
  { say: 'I follow the plan.', calls: [write(CART, file(cart))] },
  { say: 'The page shows the total.', calls: [write(APP, file('App.tsx'))] },
  done('The spec is implemented.'),
];

export const cart: Story = {
  id: 'wrong-plan',
  title: 'A plan that is proved wrong',
  point: 'Watch a reviewer throw away a wrong plan',
  length: '20 seconds',
  watch: [
    { text: 'The project has a spec, and the first plan adds up prices as fractions.' },
    { text: 'The verifier proves that this plan cannot give an exact total, and throws it away.', caught: { type: 'verdict-given', has: 'The plan is wrong' } },
    { text: 'The next planner gets the reason and plans with cents. The result is accepted.' },
  ],
  files: [...template.filter(([path]) => path !== APP), ...own],
  parts: [
    {
      work: { kind: 'spec', path: SPEC },
      scenes: [
        {
          phase: 'plan',
          when: [has('the reason', 'plan')],
          turns: [LOOK, { say: 'The last plan is void: sums of fractions are not exact. I plan with cents instead.', calls: [write(PLAN, file('second-plan.md'))] }, done('The second plan is written.')],
        },
        {
          phase: 'plan',
          turns: [LOOK, { say: 'The prices are in euros, so I plan to add them up and to format the sum.', calls: [write(PLAN, file('first-plan.md'))] }, done('The plan is written.')],
        },
        {
          phase: 'review',
          when: [has(asRead(CART), 'toFixed')],
          turns: [
            COMPARE,
            verdict('The plan itself is wrong: whatever the implementation does, it has to round.', 'invalidate_plan', 'The plan adds up euros as fractions: 3 × 0.1 is 0.30000000000000004, so an exact total is impossible. Store prices in cents.'),
          ],
        },
        {
          phase: 'review',
          turns: [COMPARE, verdict('Prices are whole cents, and nothing is rounded. Everything that the spec asks for is there.', 'accept', 'The total is exact: prices are whole cents, and the page shows the total.')],
        },
        { when: [has(PLAN, 'cents')], turns: building('cents.ts') },
        { turns: building('floats.ts') },
      ],
    },
  ],
};
