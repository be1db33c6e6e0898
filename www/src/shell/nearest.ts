/** Suggestions for a misspelled name. */
import leven from 'leven';

/** Up to three, the nearest first, within an edit distance of half the length. */
export function nearest(written: string, names: readonly string[]): string[] {
  const wanted = written.toLowerCase();
  const ranked = names.map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }));
  return ranked
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A part of a name counts as near: `north` suggests `northern-lights`. */
function distance(wanted: string, name: string): number {
  return wanted.length > 2 && name.includes(wanted) ? 1 : leven(wanted, name);
}
