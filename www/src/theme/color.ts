/** OKLCH colors within sRGB, and their contrast. The only module that uses the color library. */
import { ColorSpace, contrastWCAG21, HSL, OKLCH, OKLab, parse, sRGB, to, toGamut, type PlainColorObject } from 'colorjs.io/fn';

for (const space of [sRGB, HSL, OKLab, OKLCH]) ColorSpace.register(space);

/** Lightness from 0 to 1, chroma from 0, hue in degrees. */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

/** The nearest color in sRGB, rounded like the CSS text, so that contrast is computed for the written color. */
export function oklch(l: number, c: number, h: number): Oklch {
  return shown({ space: OKLCH, coords: [l, c, h], alpha: 1 });
}

export const cssOf = ({ l, c, h }: Oklch): string => `oklch(${l} ${c} ${h})`;

/** Parses any notation of an opaque color; null for other values. */
export function readColor(text: string): Oklch | null {
  try {
    const { spaceId, coords, alpha } = parse(text);
    if (alpha !== 1) return null;
    return shown(to({ space: ColorSpace.get(spaceId), coords, alpha }, OKLCH));
  } catch {
    return null;
  }
}

/** WCAG 2.1: from 1 to 21. */
export const contrast = (a: Oklch, b: Oklch): number => contrastWCAG21(plain(a), plain(b));

/** WCAG AA requires 4.5 for text and 3 for shapes. These are a little higher, because browsers round again. */
export const TEXT = 4.6;
export const SHAPE = 3.05;

/** Makes a color lighter or darker until its contrast with all of `from` is at least `least`. `from[0]` decides the direction. */
export function withContrast(color: Oklch, from: readonly [Oklch, ...Oklch[]], least = TEXT): Oklch {
  const step = contrast(from[0], WHITE) > contrast(from[0], BLACK) ? 0.01 : -0.01;
  let found = color;
  while (from.some((other) => contrast(found, other) < least) && found.l > 0 && found.l < 1) found = oklch(clamped(found.l + step), color.c, color.h);
  return found;
}

const BLACK: Oklch = { l: 0, c: 0, h: 0 };
const WHITE: Oklch = { l: 1, c: 0, h: 0 };

function shown(color: PlainColorObject): Oklch {
  const [l, c, h] = toGamut(color, { space: sRGB, method: 'css' }).coords;
  const chroma = round(c ?? 0, 3);
  return { l: round(clamped(l ?? 0), 3), c: chroma, h: chroma === 0 ? 0 : round(h ?? 0, 1) };
}

const plain = ({ l, c, h }: Oklch): PlainColorObject => ({ space: OKLCH, coords: [l, c, h], alpha: 1 });
const clamped = (l: number): number => Math.min(1, Math.max(0, l));
const round = (value: number, digits: number): number => Number(value.toFixed(digits));
