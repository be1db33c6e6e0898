import { cssOf, type Oklch } from './color';
import { monoFont, plainFonts, radiusVariable, shadowVariables, textFont, type Variable } from './look';
import { darkPalette, lightPalette } from './palette';
import type { ThemeSettings } from './settings';

/** CSS variables by name, without dashes. Variables that `dark` lacks have the value of `light`. */
export interface Theme {
  light: ReadonlyMap<string, string>;
  dark: ReadonlyMap<string, string>;
}

export function themeOf(settings: ThemeSettings): Theme {
  const look: Variable[] = [
    radiusVariable(settings.radius),
    ...plainFonts(),
    ...monoFont(settings.monoFont),
    ...textFont(settings.font),
    ...shadowVariables(settings.shadowProfile),
  ];
  return { light: new Map([...css(lightPalette(settings)), ...look]), dark: css(darkPalette(settings)) };
}

const css = (palette: ReadonlyMap<string, Oklch>): Map<string, string> => new Map([...palette].map(([name, color]) => [name, cssOf(color)]));
