import type { Order } from './order';

/** Null for a paid order, otherwise why it is not paid. The bank books a key once. */
export async function pay({ cents }: Order, key: string, charge: (cents: number, key: string) => Promise<void>): Promise<string | null> {
  try {
    await charge(cents, key);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
