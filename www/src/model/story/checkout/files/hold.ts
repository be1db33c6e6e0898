const held = new Set<string>();

/** Whether the seats are held for this visitor. They are taken before the first wait, so no other visitor can take them in between. */
export async function hold(seats: string[], isFree: (seat: string) => Promise<boolean>): Promise<boolean> {
  if (seats.some((seat) => held.has(seat))) return false;
  seats.forEach((seat) => held.add(seat));
  const free = await Promise.all(seats.map(isFree)).catch(() => [false]);
  if (free.every(Boolean)) return true;
  seats.forEach((seat) => held.delete(seat));
  return false;
}
