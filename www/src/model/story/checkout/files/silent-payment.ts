import type { Order } from './order';

export async function pay({ cents }: Order, charge: (cents: number) => Promise<void>): Promise<boolean> {
  try {
    await charge(cents);
  } catch {}
  return true;
}
