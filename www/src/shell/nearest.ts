/** Names that somebody may have meant. */
import leven from 'leven';

/** Up to three, the nearest first; none that differs in more than half of what was written. */
export function nearest(written: string, names: readonly string[]): string[] {
  const wanted = written.toLowerCase();
  const ranked = names.map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }));
  return ranked
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Half a name is nearer than its length says: `north` means `northern-lights`. */
function distance(wanted: string, name: string): number {
  return wanted.length > 2 && name.includes(wanted) ? 1 : leven(wanted, name);
}
