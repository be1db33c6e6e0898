/** The settings of each preset of the registry. */
import type { ThemeSettings } from './settings';

export const PRESETS: Readonly<Record<string, ThemeSettings>> = {
  'northern-lights': { seed: 165, pattern: 'analogous', chroma: 0.14, tint: { hue: 260, chroma: 0.018 }, font: 'Plus Jakarta Sans', monoFont: 'JetBrains Mono', shadowProfile: 'moderate', radius: 'moderate' },
  cyberpunk: { seed: 330, pattern: 'splitComplementary', chroma: 0.26, tint: { hue: 285, chroma: 0.03 }, font: 'Outfit', monoFont: 'Fira Code', shadowProfile: 'dramatic', radius: 'moderate' },
  'doom-64': { seed: 25, pattern: 'complementary', chroma: 0.18, tint: { hue: 60, chroma: 0.006 }, font: 'Oxanium', monoFont: 'Source Code Pro', shadowProfile: 'harsh', radius: 'none' },
  'retro-arcade': { seed: 355, pattern: 'tetradic', chroma: 0.2, tint: { hue: 95, chroma: 0.03 }, font: 'Rubik', monoFont: 'IBM Plex Mono', shadowProfile: 'harsh', radius: 'subtle' },
  'soft-pop': { seed: 277, pattern: 'triadic', chroma: 0.18, tint: { hue: 95, chroma: 0.008 }, font: 'DM Sans', monoFont: 'Geist Mono', shadowProfile: 'subtle', radius: 'rounded' },
  tangerine: { seed: 40, pattern: 'complementary', chroma: 0.17, tint: { hue: 250, chroma: 0.008 }, font: 'Inter', monoFont: 'JetBrains Mono', shadowProfile: 'subtle', radius: 'moderate' },
  mono: { seed: 0, pattern: 'monochromatic', chroma: 0, tint: { chroma: 0 }, font: 'Geist Mono', monoFont: 'Geist Mono', shadowProfile: 'none', radius: 'none' },
  'elegant-luxury': { seed: 22, pattern: 'analogous', chroma: 0.13, tint: { hue: 75, chroma: 0.012 }, font: 'Libre Baskerville', monoFont: 'IBM Plex Mono', shadowProfile: 'dramatic', radius: 'subtle' },
  bubblegum: { seed: 350, pattern: 'seedOfLife', chroma: 0.18, tint: { hue: 345, chroma: 0.022 }, font: 'Poppins', monoFont: 'Fira Code', shadowProfile: 'harsh', radius: 'pill' },
  'mocha-mousse': { seed: 45, pattern: 'analogous', chroma: 0.06, tint: { hue: 70, chroma: 0.016 }, font: 'DM Sans', monoFont: 'Fira Code', shadowProfile: 'subtle', radius: 'moderate' },
  caffeine: { seed: 50, pattern: 'monochromatic', chroma: 0.05, tint: { chroma: 0.004 }, font: 'Inter', monoFont: 'Geist Mono', shadowProfile: 'subtle', radius: 'moderate' },
  catppuccin: { seed: 305, pattern: 'tetradic', chroma: 0.17, tint: { hue: 275, chroma: 0.02 }, font: 'Montserrat', monoFont: 'Fira Code', shadowProfile: 'moderate', radius: 'subtle' },
};
