/**
 * A spec in four chunks. The first one does not build at first. The second one fails both of its attempts in the first run, which
 * blocks the fourth. The third one has a race condition at first. In the next run, everything ships.
 */
import { template, type ProjectFiles } from '../../../project/template';
import type { Observation } from '../observe';
import { NOTHING_MORE, read, write, type Call, type Turn } from '../turn';
import { APP, CHUNKS, HOLD, ORDER, PAYMENT, RECEIPT } from './chunks';

const project = import.meta.glob<string>('./files/project/**/*', { query: '?raw', import: 'default', eager: true });
const written = import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true });
const source = (name: string): string => written[`./files/${name}`] ?? '';

const own: ProjectFiles = Object.entries(project).map(([path, text]) => [path.replace('./files/project/', '').replace(/^handoff/, '.handoff'), text] as const);
export const files: ProjectFiles = [...template.filter(([path]) => path !== APP), ...own];

export function decide(seen: Observation): Turn {
  return turnsOf(seen)[seen.turns] ?? NOTHING_MORE;
}

function turnsOf(seen: Observation): Turn[] {
  switch (seen.role) {
    case 'planner':
      return [{ say: 'I read the spec and the app.', calls: [read('.handoff/specs/checkout/spec.md'), read(APP)] }, { say: 'Four chunks: the price, then the payment and the seats, then the receipt.', calls: [complete({ chunks: CHUNKS })] }];
    case 'reviewer':
      return [review(seen)];
    case 'summarizer':
      return [{ say: JSON.stringify({ summary: summaryOf(seen.prompt) }), calls: [] }];
    default:
      return build(seen);
  }
}

function build({ tool, section }: Observation): Turn[] {
  const task = section('the task');
  const feedback = section('the feedback');
  if (task.includes(RECEIPT)) return implement('The receipt names the seats and the amount.', { [RECEIPT]: source('receipt.ts') });
  if (task.includes(HOLD)) {
    return feedback.includes('held')
      ? implement('The review is right: two visitors could come in between. I take the seats before the first wait.', { [HOLD]: source('hold.ts') })
      : implement('I check all seats, then I hold them.', { [HOLD]: source('racing-hold.ts') });
  }
  if (task.includes(PAYMENT)) {
    if (tool === 'careful' || feedback.includes('twice')) return implement('The bank gets a key, so it books a payment once.', { [PAYMENT]: source('payment.ts') });
    return feedback.includes('counts as paid')
      ? implement('A failed charge is tried again before the visitor gets the reason.', { [PAYMENT]: source('repeated-payment.ts') })
      : implement('The payment charges the amount of the order.', { [PAYMENT]: source('silent-payment.ts') });
  }
  if (task.includes(ORDER)) {
    return feedback
      ? implement('The build did not find the module: its name is order.', { [ORDER]: source('order.ts'), [APP]: source('App.tsx') })
      : implement('I write the price and show it in the app.', { [ORDER]: source('order.ts'), [APP]: source('App.tsx').replace('checkout/order', 'checkout/orders') });
  }
  return [{ say: 'The script of this story has no work for this chunk.', calls: [complete({ summary: 'Nothing to do.' })] }];
}

function implement(say: string, sources: Record<string, string>): Turn[] {
  return [
    { say: 'I look at the app.', calls: [read(APP)] },
    { say, calls: Object.entries(sources).map(([path, text]) => write(path, text)) },
    { say: 'The task is implemented.', calls: [complete({ summary: say })] },
  ];
}

const complete = (args: Record<string, unknown>): Call => ({ name: 'complete_task', args });

/** The flaws that a reviewer finds in a difference, each with the line that shows it. */
const FLAWS = [
  {
    file: PAYMENT, name: 'silent-payment.ts', shows: '  } catch {}', type: 'error_handling',
    description: 'A failed charge counts as paid.',
    suggestion: 'Return the reason of the failure.',
    agentPrompt: 'In pay, return null for a paid order and the reason otherwise. Do not ignore errors of charge: then a failed charge counts as paid.',
  },
  {
    file: PAYMENT, name: 'repeated-payment.ts', shows: '      // Once more.', type: 'logic_bug',
    description: 'A charge that timed out may be booked. The second one charges the visitor twice.',
    suggestion: 'Pass a key that the bank books once.',
    agentPrompt: 'In pay, do not repeat a charge, because that may charge twice. Pass a key to charge instead.',
  },
  {
    file: HOLD, name: 'racing-hold.ts', shows: '  for (const seat of seats) held.add(seat);', type: 'race_condition',
    description: 'Between the check and held.add, another visitor can hold the same seat.',
    suggestion: 'seats.forEach((seat) => held.add(seat)); before the first await',
    agentPrompt: 'In hold, add the seats to `held` before the first await, and delete them if one is not free.',
  },
];
const CONTRACT = { file: '../bank/contract.yaml', type: 'architecture', severity: 'low', description: 'The contract of the bank is not part of this project.', suggestion: '', agentPrompt: 'Name the contract in a comment.' };

/** The quick reviewer only finds errors that are ignored. */
function review({ prompt, tool }: Observation): Turn {
  const issues = FLAWS.filter(({ shows, type }) => prompt.includes(`+${shows}\n`) && (tool !== 'quick' || type === 'error_handling')).flatMap(({ name, shows, ...issue }) => {
    const line = source(name).split('\n').indexOf(shows) + 1;
    const found = { ...issue, severity: 'high', lines: [line, line] };
    return issue.type === 'error_handling' ? [found, CONTRACT] : [found];
  });
  return { say: issues.length ? 'This must not be merged.' : 'Nothing blocks the merge.', calls: [complete({ decision: issues.length ? 'REVISE' : 'SHIP', issues })] };
}

const SUMMARIES: ReadonlyArray<readonly [path: string, summary: string]> = [
  [RECEIPT, 'receipt() prints the seats and the amount of an order.'],
  [HOLD, 'hold() holds seats for one visitor, without a race.'],
  [PAYMENT, 'pay() charges an order once, and returns why a payment failed.'],
  [ORDER, 'order() prices seats in whole cents, and the app shows an order.'],
];
const summaryOf = (prompt: string): string => SUMMARIES.find(([path]) => prompt.includes(path))?.[1] ?? '';
