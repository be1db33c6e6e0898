/** Changes an existing theme, including one written by hand. */
import { cssOf, oklch, readColor, withContrast, type Oklch } from './color';
import { monoFont, radiusVariable, shadowVariables, textFont } from './look';
import type { Theme } from './theme';

export interface Change {
  /** Degrees, added to every hue. */
  shiftHue?: number;
  /** Factor for every chroma. */
  scaleChroma?: number;
  font?: string;
  monoFont?: string;
  shadowProfile?: string;
  radius?: string;
}

export function modify(theme: Theme, change: Change): Theme {
  const look = new Map([
    ...(change.radius ? [radiusVariable(change.radius)] : []),
    ...(change.monoFont ? monoFont(change.monoFont) : []),
    ...(change.font ? textFont(change.font) : []),
    ...(change.shadowProfile ? shadowVariables(change.shadowProfile) : []),
  ]);
  return { light: new Map([...recolored(theme.light, change), ...look]), dark: recolored(theme.dark, change) };
}

/** Red, green and amber do not change: they have a meaning. */
const MEANING = /^(destructive|success|warning)(-foreground)?$/;

function recolored(variables: ReadonlyMap<string, string>, { shiftHue = 0, scaleChroma = 1 }: Change): Map<string, string> {
  if (shiftHue === 0 && scaleChroma === 1) return new Map(variables);
  const colors = new Map<string, Oklch>();
  for (const [name, value] of variables) {
    const color = readColor(value);
    if (color) colors.set(name, MEANING.test(name) ? color : oklch(color.l, color.c * scaleChroma, (color.h + shiftHue + 360) % 360));
  }
  for (const [name, color] of colors) {
    const below = colors.get(backgroundOf(name));
    if (name.endsWith('foreground') && below) colors.set(name, withContrast(color, [below]));
  }
  return new Map([...variables].map(([name, value]) => [name, colors.has(name) ? cssOf(colors.get(name)!) : value]));
}

/** `card` for `card-foreground`, `background` for `foreground`. */
const backgroundOf = (foreground: string): string => (foreground === 'foreground' ? 'background' : foreground.replace(/-foreground$/, ''));
