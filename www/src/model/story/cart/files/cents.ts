export interface Item {
  name: string;
  /** In cents, so that sums are exact. */
  price: number;
  quantity: number;
}

export const cart: Item[] = [
  { name: 'Candle', price: 10, quantity: 3 },
  { name: 'Matches', price: 20, quantity: 1 },
  { name: 'Lantern', price: 1895, quantity: 2 },
];

export function total(items: Item[]): string {
  const cents = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return `€${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
