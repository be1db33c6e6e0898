/** The input of a theme. All names are those of the registry. */
export interface ThemeSettings {
  /** The hue of the primary color, in degrees. */
  seed: number;
  pattern: string;
  /** The OKLCH chroma of the primary color. */
  chroma: number;
  /** Hue and chroma of the greys. Default hue: that of the primary color. */
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
