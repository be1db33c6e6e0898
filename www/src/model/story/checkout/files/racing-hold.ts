const held = new Set<string>();

/** Whether the seats are held for this visitor. */
export async function hold(seats: string[], isFree: (seat: string) => Promise<boolean>): Promise<boolean> {
  for (const seat of seats) {
    if (held.has(seat) || !(await isFree(seat))) return false;
  }
  for (const seat of seats) held.add(seat);
  return true;
}
