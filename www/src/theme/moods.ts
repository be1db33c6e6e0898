/** The default settings of each mood of the registry. */
import type { ThemeSettings } from './settings';

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
