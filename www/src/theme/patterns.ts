/** The patterns of the registry: hue offsets in degrees from the first hue. */
const GOLDEN_ANGLE = 137.508;

/** Primary, secondary, accent, and two more for charts. */
const PATTERNS: Readonly<Record<string, readonly [0, number, number, number, number]>> = {
  monochromatic: [0, 0, 0, 0, 0],
  analogous: [0, 30, -30, 60, -60],
  complementary: [0, 180, 180, 0, 180],
  splitComplementary: [0, 150, 210, 180, 0],
  triadic: [0, 120, 240, 60, 180],
  tetradic: [0, 90, 180, 270, 45],
  goldenRatio: [0, GOLDEN_ANGLE, 2 * GOLDEN_ANGLE, 3 * GOLDEN_ANGLE, 4 * GOLDEN_ANGLE],
  // Circles around a circle: six of them, their centres 60° apart.
  flowerOfLife: [0, 60, 120, 180, 240],
  fibonacci: [0, 34, 55, 89, 144],
  // Two circles through each other's centre: they meet 60° on either side.
  vesicaPiscis: [0, 60, -60, 180, 120],
  // Seven circles.
  seedOfLife: [0, 360 / 7, 720 / 7, 1080 / 7, 1440 / 7],
};

export const patternNames = Object.keys(PATTERNS);

/** In degrees from 0 to 360. */
export function hues(seed: number, pattern: string): [number, number, number, number, number] {
  const [a, b, c, d, e] = PATTERNS[pattern] ?? PATTERNS.monochromatic!;
  const turn = (offset: number) => (((seed + offset) % 360) + 360) % 360;
  return [turn(a), turn(b), turn(c), turn(d), turn(e)];
}
