import type { Order } from './order';

export async function pay({ cents }: Order, charge: (cents: number) => Promise<void>): Promise<string | null> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await charge(cents);
      return null;
    } catch {
      // Once more.
    }
  }
  return 'The bank does not answer.';
}
