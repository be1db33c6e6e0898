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
