/**
 * An idea that becomes a spec in four steps. The first one does not build at first. The second one fails both of its attempts in the first run, which
 * blocks the fourth. The third one has a race condition at first. In the next run, everything ships.
 */
import type { Chunk } from 'loopgate';
import { template, type ProjectFiles } from '../../../project/template';
import { asRead, complete, has, lacks, read, textsOf, write, type Scene, type Story, type Turn } from '../story';
import { studio } from './studio';

const project = import.meta.glob<string>('./files/project/**/*', { query: '?raw', import: 'default', eager: true });
const file = textsOf(import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true }), 'files');
// A folder named `.handoff` would be hidden.
const own: ProjectFiles = Object.entries(project).map(([path, text]) => [path.replace('./files/project/', '').replace(/^handoff/, '.handoff'), text] as const);

const SPEC = '.handoff/specs/checkout/spec.md';
const APP = 'src/App.tsx';
const ORDER = 'src/checkout/order.ts';
const PAYMENT = 'src/checkout/payment.ts';
const HOLD = 'src/checkout/hold.ts';
const RECEIPT = 'src/checkout/receipt.ts';

const CHUNKS: readonly Chunk[] = [
  {
    id: 'order',
    title: 'Price an order',
    description: `1. Write ${ORDER} with the type Order and the function order: seats and whole cents (R1).\n2. Show the order in ${APP}.`,
    relevantFiles: [APP],
  },
  {
    id: 'payment',
    title: 'Take the payment',
    description: `Write ${PAYMENT} with the function pay. A visitor pays once, and learns why a payment failed (R3).`,
    relevantFiles: [ORDER],
    dependencies: ['order'],
  },
  {
    id: 'hold',
    title: 'Hold the seats',
    description: `Write ${HOLD} with the function hold. A seat is held for one visitor, also if two ask at the same time (R2).`,
    relevantFiles: [ORDER],
    dependencies: ['order'],
  },
  {
    id: 'receipt',
    title: 'Print the receipt',
    description: `Write ${RECEIPT} with the function receipt for a paid order (R4).`,
    relevantFiles: [ORDER, PAYMENT],
    dependencies: ['payment', 'hold'],
  },
];

/** The chunk that names this file is implemented, if the feedback and the executor are as in `given`. */
const building = (path: string, say: string, sources: Record<string, string>, given: { feedback?: string; tool?: string } = {}): Scene => ({
  role: 'builder',
  ...(given.tool && { tool: given.tool }),
  when: [has('the task', path), ...(given.feedback ? [has('the feedback', given.feedback)] : [])],
  turns: [
    { say: 'I look at the app.', calls: [read(APP)] },
    { say, calls: Object.entries(sources).map(([path, text]) => write(path, text)) },
    { say: 'The task is implemented.', calls: [complete({ summary: say })] },
  ],
});

interface Flaw {
  file: string;
  type: string;
  description: string;
  suggestion: string;
  agentPrompt: string;
}

/** A review that finds a flaw in a difference with this line, which is in the file `name`. */
function revising(name: string, line: string, flaw: Flaw, ...others: object[]): Scene {
  const number = file(name).split('\n').indexOf(line) + 1;
  const turn: Turn = { say: 'This must not be merged.', calls: [complete({ decision: 'REVISE', issues: [{ ...flaw, severity: 'high', lines: [number, number] }, ...others] })] };
  return { role: 'reviewer', when: [has('prompt', `+${line}\n`)], turns: [turn] };
}

const SHIP: Scene = { role: 'reviewer', turns: [{ say: 'Nothing blocks the merge.', calls: [complete({ decision: 'SHIP', issues: [] })] }] };
const summing = (path: string, summary: string): Scene => ({ role: 'summarizer', when: [has('prompt', path)], turns: [{ say: JSON.stringify({ summary }) }] });

const silent = revising(
  'silent-payment.ts',
  '  } catch {}',
  {
    file: PAYMENT,
    type: 'error_handling',
    description: 'A failed charge counts as paid.',
    suggestion: 'Return the reason of the failure.',
    agentPrompt: 'In pay, return null for a paid order and the reason otherwise. Do not ignore errors of charge: then a failed charge counts as paid.',
  },
  { file: '../bank/contract.yaml', type: 'architecture', severity: 'low', description: 'The contract of the bank is not part of this project.', suggestion: '', agentPrompt: 'Name the contract in a comment.' },
);
const repeated = revising('repeated-payment.ts', '      // Once more.', {
  file: PAYMENT,
  type: 'logic_bug',
  description: 'A charge that timed out may be booked. The second one charges the visitor twice.',
  suggestion: 'Pass a key that the bank books once.',
  agentPrompt: 'In pay, do not repeat a charge, because that may charge twice. Pass a key to charge instead.',
});
const racing = revising('racing-hold.ts', '  for (const seat of seats) held.add(seat);', {
  file: HOLD,
  type: 'race_condition',
  description: 'Between the check and held.add, another visitor can hold the same seat.',
  suggestion: 'seats.forEach((seat) => held.add(seat)); before the first await',
  agentPrompt: 'In hold, add the seats to `held` before the first await, and delete them if one is not free.',
});

const KEYED = { [PAYMENT]: file('payment.ts') };

export const checkout: Story = {
  id: 'checkout',
  title: 'A spec in steps',
  point: 'Watch a review catch a race condition',
  length: '2 minutes',
  watch: [
    { text: 'Answer the questions and read the spec. A planner splits it into four steps, which you approve.' },
    { text: 'The first step does not build at first, and its attempt is undone.' },
    { text: 'A review finds a race condition in “Hold the seats”.', caught: { type: 'tool-call', has: 'race_condition' } },
    { text: '“Take the payment” fails, which blocks the receipt. Choose the executor Careful and run the spec again: both ship.' },
  ],
  files: [...template.filter(([path]) => path !== APP), ...own],
  studio,
  parts: [
    {
      work: { kind: 'chunks', spec: 'checkout' },
      scenes: [
        {
          role: 'planner',
          when: [has('prompt', SPEC)],
          turns: [
            { say: 'I read the spec and the app.', calls: [read(SPEC), read(APP)] },
            { say: 'Four steps: the price, then the payment and the seats, then the receipt.', when: [has(asRead(SPEC), 'R4')], calls: [complete({ chunks: CHUNKS })] },
            { say: 'Three steps: the price, then the payment and the seats.', when: [lacks(asRead(SPEC), 'R4')], calls: [complete({ chunks: CHUNKS.filter(({ id }) => id !== 'receipt') })] },
          ],
        },
        silent,
        // The quick reviewer only finds errors that are ignored.
        { ...SHIP, tool: 'quick' },
        repeated,
        racing,
        SHIP,
        summing(RECEIPT, 'receipt() prints the seats and the amount of an order.'),
        summing(HOLD, 'hold() holds seats for one visitor, without a race.'),
        summing(PAYMENT, 'pay() charges an order once, and returns why a payment failed.'),
        summing(ORDER, 'order() prices seats in whole cents, and the app shows an order.'),
        building(RECEIPT, 'The receipt names the seats and the amount.', { [RECEIPT]: file('receipt.ts') }),
        building(HOLD, 'The review is right: two visitors could come in between. I take the seats before the first wait.', { [HOLD]: file('hold.ts') }, { feedback: 'held' }),
        building(HOLD, 'I check all seats, then I hold them.', { [HOLD]: file('racing-hold.ts') }),
        building(PAYMENT, 'The bank gets a key, so it books a payment once.', KEYED, { tool: 'careful' }),
        building(PAYMENT, 'The bank gets a key, so it books a payment once.', KEYED, { feedback: 'twice' }),
        building(PAYMENT, 'A failed charge is tried again before the visitor gets the reason.', { [PAYMENT]: file('repeated-payment.ts') }, { feedback: 'counts as paid' }),
        building(PAYMENT, 'The payment charges the amount of the order.', { [PAYMENT]: file('silent-payment.ts') }),
        building(ORDER, 'The build did not find the module: its name is order.', { [ORDER]: file('order.ts'), [APP]: file('App.tsx') }, { feedback: 'orders' }),
        building(ORDER, 'I write the price and show it in the app.', { [ORDER]: file('order.ts'), [APP]: file('App.tsx').replace('checkout/order', 'checkout/orders') }),
      ],
    },
  ],
};
