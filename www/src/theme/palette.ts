/** The colors of a theme: 36 roles, for light and dark. */
import { oklch, SHAPE, withContrast, type Oklch } from './color';
import type { ThemeSettings } from './settings';

type Palette = ReadonlyMap<string, Oklch>;

/** Lightness by role, before contrast is adjusted. */
interface Scheme {
  background: number;
  card: number;
  sidebar: number;
  muted: number;
  secondary: number;
  accent: number;
  border: number;
  input: number;
  ring: number;
  chart: number;
  text: number;
  quietText: number;
  /** Colors with a meaning, used as text and below text. */
  strong: number;
  warning: number;
  onStrong: number;
  onWarning: number;
  /** The share of the tint in surfaces. */
  tinted: number;
}

const LIGHT: Scheme = {
  background: 0.985, card: 0.997, sidebar: 0.967, muted: 0.958, secondary: 0.935, accent: 0.915, border: 0.89, input: 0.83, ring: 0.62, chart: 0.6, text: 0.22, quietText: 0.5, strong: 0.54, warning: 0.8, onStrong: 0.99, onWarning: 0.25, tinted: 0.6,
};
const DARK: Scheme = {
  background: 0.175, card: 0.215, sidebar: 0.195, muted: 0.265, secondary: 0.3, accent: 0.335, border: 0.32, input: 0.4, ring: 0.62, chart: 0.74, text: 0.955, quietText: 0.73, strong: 0.76, warning: 0.83, onStrong: 0.19, onWarning: 0.2, tinted: 1,
};

/** Hues of red, green and amber, the same in every theme. */
const MEANING = { destructive: 27, success: 150, warning: 80 } as const;

export const lightPalette = (settings: ThemeSettings): Palette => palette(settings, LIGHT);
export const darkPalette = (settings: ThemeSettings): Palette => palette(settings, DARK);

function palette(settings: ThemeSettings, scheme: Scheme): Palette {
  const [primaryHue, secondaryHue, accentHue, ...more] = hues(settings.seed, settings.pattern);
  const tint = settings.tint.hue ?? primaryHue;
  const grey = (l: number, share = 1) => oklch(l, settings.tint.chroma * share, tint);
  const meaningChroma = Math.min(0.19, Math.max(0.11, settings.chroma));

  const background = grey(scheme.background, scheme.tinted);
  const card = grey(scheme.card, scheme.tinted / 2);
  const sidebar = grey(scheme.sidebar, scheme.tinted);
  const muted = grey(scheme.muted);
  const secondary = oklch(scheme.secondary, settings.tint.chroma + settings.chroma * 0.1, secondaryHue);
  const accent = oklch(scheme.accent, settings.tint.chroma + settings.chroma * 0.25, accentHue);
  const surfaces = [background, card, sidebar] as const;

  const text = (on: Oklch) => withContrast(grey(scheme.text, 1.2), [on]);
  /** Readable as text on every surface, and as a background of text. */
  const strong = (chroma: number, hue: number, l = scheme.strong) => withContrast(oklch(l, chroma, hue), surfaces);
  const on = (color: Oklch, l: number) => withContrast(oklch(l, color.c * 0.15, color.h), [color]);

  // With little chroma, lightness makes the primary color visible.
  const pale = Math.max(0, 0.12 - settings.chroma) / 0.12;
  const primary = strong(settings.chroma, primaryHue, scheme.strong + (scheme.text - scheme.strong) * 0.7 * pale);
  const destructive = strong(meaningChroma, MEANING.destructive);
  const success = strong(meaningChroma * 0.8, MEANING.success);
  const warning = oklch(scheme.warning, meaningChroma * 0.85, MEANING.warning);
  const ring = withContrast(oklch(scheme.ring, settings.chroma * 0.8, primaryHue), surfaces, SHAPE);
  const charts = [primaryHue, secondaryHue, accentHue, ...more].map((hue, index) => {
    const l = scheme.chart + (index % 2 ? 0.08 : -0.04) + (index === 4 ? -0.1 : 0);
    return withContrast(oklch(l, Math.max(settings.chroma, settings.tint.chroma) * 0.9, hue), [background, card], SHAPE);
  });

  return new Map<string, Oklch>([
    ['background', background],
    ['foreground', text(background)],
    ['card', card],
    ['card-foreground', text(card)],
    ['popover', card],
    ['popover-foreground', text(card)],
    ['primary', primary],
    ['primary-foreground', on(primary, scheme.onStrong)],
    ['secondary', secondary],
    ['secondary-foreground', text(secondary)],
    ['muted', muted],
    ['muted-foreground', withContrast(grey(scheme.quietText, 1.5), [muted, ...surfaces])],
    ['accent', accent],
    ['accent-foreground', text(accent)],
    ['destructive', destructive],
    ['destructive-foreground', on(destructive, scheme.onStrong)],
    ['success', success],
    ['success-foreground', on(success, scheme.onStrong)],
    ['warning', warning],
    ['warning-foreground', on(warning, scheme.onWarning)],
    ['border', grey(scheme.border, 1.2)],
    ['input', grey(scheme.input, 1.2)],
    ['ring', ring],
    ...charts.map((color, index) => [`chart-${index + 1}`, color] as const),
    ['sidebar', sidebar],
    ['sidebar-foreground', text(sidebar)],
    ['sidebar-primary', primary],
    ['sidebar-primary-foreground', on(primary, scheme.onStrong)],
    ['sidebar-accent', accent],
    ['sidebar-accent-foreground', text(accent)],
    ['sidebar-border', grey(scheme.border, 1.2)],
    ['sidebar-ring', ring],
  ]);
}

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
