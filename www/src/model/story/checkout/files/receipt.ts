import type { Order } from './order';

export const receipt = ({ seats, cents }: Order, key: string): string =>
  `Receipt ${key}: seats ${seats.join(', ')}, ${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} euros`;
