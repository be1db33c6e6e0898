export interface Order {
  seats: string[];
  /** Exact, because cents are whole. */
  cents: number;
}

export const order = (seats: string[], price = 1850): Order => ({ seats, cents: seats.length * price });
