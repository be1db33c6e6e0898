/** The chunks that the scripted planner proposes. */
import type { Chunk } from 'loopgate';

export const ORDER = 'src/checkout/order.ts';
export const PAYMENT = 'src/checkout/payment.ts';
export const HOLD = 'src/checkout/hold.ts';
export const RECEIPT = 'src/checkout/receipt.ts';
export const APP = 'src/App.tsx';

export const CHUNKS: readonly Chunk[] = [
  {
    id: 'order',
    title: 'Price an order',
    description: `1. Write ${ORDER} with the type Order and the function order: seats and whole cents.\n2. Show the order in ${APP}.`,
    relevantFiles: [APP],
  },
  {
    id: 'payment',
    title: 'Take the payment',
    description: `Write ${PAYMENT} with the function pay. A visitor pays once, and learns why a payment failed.`,
    relevantFiles: [ORDER],
    dependencies: ['order'],
  },
  {
    id: 'hold',
    title: 'Hold the seats',
    description: `Write ${HOLD} with the function hold. A seat is held for one visitor, also if two ask at the same time.`,
    relevantFiles: [ORDER],
    dependencies: ['order'],
  },
  {
    id: 'receipt',
    title: 'Print the receipt',
    description: `Write ${RECEIPT} with the function receipt for a paid order.`,
    relevantFiles: [ORDER, PAYMENT],
    dependencies: ['payment', 'hold'],
  },
];
