/** WCAG 2.1 contrast of colors in a style sheet, computed independently of the demo's code. */

/** The custom properties of a rule, without dashes. */
export function variables(sheet, selector) {
  const body = new RegExp(`(?:^|\\n)${selector.replace('.', '\\.')} \\{([^}]*)\\}`).exec(sheet)?.[1] ?? '';
  return Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value.trim()]));
}

export function contrast(a, b) {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The linear sRGB of `oklch(L C H)`: https://bottosson.github.io/posts/oklab/ */
export function linearRgb(text) {
  const [, L, C, H] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(text).map(Number);
  const [a, b] = [C * Math.cos((H * Math.PI) / 180), C * Math.sin((H * Math.PI) / 180)];
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Computed after rounding to eight bits. */
function luminance(text) {
  const [r, g, b] = linearRgb(text).map((value) => linear(Math.round(encoded(Math.min(1, Math.max(0, value))) * 255) / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const encoded = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
