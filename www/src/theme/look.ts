/** The variables of a theme other than colors: radius, fonts and shadows. */

/** The name, without its dashes, and the value. */
export type Variable = readonly [name: string, value: string];

export const RADII: Readonly<Record<string, string>> = { none: '0rem', subtle: '0.25rem', moderate: '0.5rem', rounded: '0.875rem', pill: '1.5rem' };

/** Small, medium and large. Shadows are transparent black, which works in both schemes; harsh ones are solid. */
export const SHADOWS: Readonly<Record<string, readonly [string, string, string]>> = {
  none: ['none', 'none', 'none'],
  subtle: ['0 1px 2px oklch(0 0 0 / 0.05)', '0 1px 3px oklch(0 0 0 / 0.08)', '0 4px 12px oklch(0 0 0 / 0.08)'],
  moderate: ['0 1px 2px oklch(0 0 0 / 0.1)', '0 2px 6px oklch(0 0 0 / 0.14)', '0 8px 20px oklch(0 0 0 / 0.16)'],
  dramatic: ['0 2px 4px oklch(0 0 0 / 0.16)', '0 6px 16px oklch(0 0 0 / 0.24)', '0 18px 44px oklch(0 0 0 / 0.32)'],
  harsh: ['2px 2px 0 var(--foreground)', '4px 4px 0 var(--foreground)', '7px 7px 0 var(--foreground)'],
};

type Family = 'sans' | 'serif' | 'mono';

/** Fallbacks for fonts that are not installed. */
const FALLBACKS: Readonly<Record<Family, string>> = {
  sans: 'system-ui, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  mono: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
};

/** The serif fonts of the registry. */
const SERIF = new Set(['Source Serif 4', 'Merriweather', 'Lora', 'Libre Baskerville', 'Crimson Pro', 'Roboto Slab', 'Zilla Slab']);

/** The stacks without a theme font. */
export const plainFonts = (): Variable[] => (['sans', 'serif', 'mono'] as const).map((family) => [`font-${family}`, FALLBACKS[family]]);

/** Puts `font` first in its stack, and `--font-body` refers to that stack. */
export function textFont(font: string): Variable[] {
  const family = familyOf(font);
  return [[`font-${family}`, stack(font, family)], ['font-body', `var(--font-${family})`]];
}

export const monoFont = (font: string): Variable[] => [['font-mono', stack(font, 'mono')]];

export function shadowVariables(profile: string): Variable[] {
  const [small, medium, large] = SHADOWS[profile] ?? SHADOWS.none!;
  return [['shadow-sm', small], ['shadow', medium], ['shadow-lg', large]];
}

export const radiusVariable = (radius: string): Variable => ['radius', RADII[radius] ?? RADII.moderate!];

const stack = (font: string, family: Family): string => `"${font}", ${FALLBACKS[family]}`;

function familyOf(font: string): Family {
  if (SERIF.has(font)) return 'serif';
  return /\bMono\b|\bCode\b/.test(font) ? 'mono' : 'sans';
}
