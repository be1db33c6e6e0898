/** The input of a theme. All names are in the registry. */
export interface ThemeSettings {
  /** The hue of the primary color, in degrees. */
  seed: number;
  pattern: string;
  /** The OKLCH chroma of the primary color. */
  chroma: number;
  /** Hue and chroma of the greys. Default hue: the hue of the primary color. */
  tint: { hue?: number; chroma: number };
  font: string;
  monoFont: string;
  shadowProfile: string;
  radius: string;
}

/** Names for values of chroma. */
export const CHROMA_WORDS: Readonly<Record<string, number>> = { none: 0, low: 0.05, medium: 0.11, high: 0.18, vivid: 0.25 };
/** Above the maximum chroma in sRGB. */
export const MAX_CHROMA = 0.4;

/** The default settings of each mood of the registry. */
export const MOODS: Readonly<Record<string, ThemeSettings>> = {
  minimal: mood(250, 'monochromatic', 0.06, 0.002, 'Inter', 'none', 'subtle'),
  premium: mood(265, 'analogous', 0.09, 0.006, 'Manrope', 'subtle', 'moderate'),
  playful: mood(320, 'triadic', 0.19, 0.016, 'Nunito', 'moderate', 'pill'),
  industrial: mood(230, 'complementary', 0.07, 0.009, 'IBM Plex Sans', 'harsh', 'none'),
  organic: mood(130, 'analogous', 0.09, 0.014, 'Lora', 'subtle', 'rounded'),
  editorial: mood(25, 'monochromatic', 0.1, 0.006, 'Source Serif 4', 'none', 'subtle'),
  'fashion-editorial': mood(0, 'complementary', 0.04, 0.002, 'Josefin Sans', 'none', 'none'),
  brutalist: mood(265, 'complementary', 0.24, 0, 'Space Grotesk', 'harsh', 'none'),
  zen: mood(160, 'monochromatic', 0.05, 0.01, 'Work Sans', 'none', 'rounded'),
  corporate: mood(250, 'analogous', 0.14, 0.006, 'DM Sans', 'subtle', 'moderate'),
  retro: mood(40, 'tetradic', 0.13, 0.024, 'Righteous', 'harsh', 'subtle'),
  luxury: mood(85, 'monochromatic', 0.08, 0.008, 'Libre Baskerville', 'dramatic', 'subtle'),
};

function mood(seed: number, pattern: string, chroma: number, tint: number, font: string, shadowProfile: string, radius: string): ThemeSettings {
  return { seed, pattern, chroma, tint: { chroma: tint }, font, monoFont: 'JetBrains Mono', shadowProfile, radius };
}

/** The settings of each preset of the registry. */
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
