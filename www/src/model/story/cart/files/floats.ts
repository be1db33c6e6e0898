export interface Item {
  name: string;
  /** In euros. */
  price: number;
  quantity: number;
}

export const cart: Item[] = [
  { name: 'Candle', price: 0.1, quantity: 3 },
  { name: 'Matches', price: 0.2, quantity: 1 },
  { name: 'Lantern', price: 18.95, quantity: 2 },
];

export function total(items: Item[]): string {
  const sum = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return `€${sum.toFixed(2)}`;
}
