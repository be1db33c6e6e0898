/** What a theme is made from. Every name is one of the registry's. */
export interface ThemeSettings {
  /** The hue of the primary colour, in degrees. */
  seed: number;
  pattern: string;
  /** How colourful the primary colour is: OKLCH chroma. */
  chroma: number;
  /** The greys' own hue and chroma. Without a hue they take the primary colour's. */
  tint: { hue?: number; chroma: number };
  font: string;
  monoFont: string;
  shadowProfile: string;
  radius: string;
}

/** Words for a chroma, beside numbers. */
export const CHROMA_WORDS: Readonly<Record<string, number>> = { none: 0, low: 0.05, medium: 0.11, high: 0.18, vivid: 0.25 };
/** The most that screens can show of any hue lies below. */
export const MAX_CHROMA = 0.4;
