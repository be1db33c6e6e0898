/** The shop of the drinks stories: a page with eight flavors, and the files that later tasks write. */
const shop = import.meta.glob<string>('./shop/src/**/*', { query: '?raw', import: 'default', eager: true });
const written = import.meta.glob<string>('./files/*.tsx', { query: '?raw', import: 'default', eager: true });

export const TOGGLE = 'src/components/MoodToggle.tsx';
export const FLAVORS = 'src/data/flavors.ts';
export const HERO = 'src/sections/HeroSection.tsx';
export const FEATURES = 'src/sections/FeaturesSection.tsx';
export const CTA = 'src/sections/CtaSection.tsx';

export const files: ReadonlyArray<readonly [path: string, text: string]> = Object.entries(shop).map(([path, text]) => [path.replace('./shop/', ''), text]);

/** A file of the shop before the task. */
export const before = (path: string): string => shop[`./shop/${path}`] ?? '';

/** A file that a task writes, by its name in the folder `files`. */
export const source = (name: string): string => written[`./files/${name}.tsx`] ?? '';

/** Eight flavors, the last four of them converted: a wrong result of "add 2 more for nighttime". */
export function convertedFlavors(): string {
  return Object.entries(CONVERTED).reduce((text, [name, drink]) => text.replace(new RegExp(`^ {2}\\{ name: '${name}'.*$`, 'm'), drink), before(FLAVORS));
}

const night = (name: string, taste: string): string => `  { name: '${name}', when: 'night', taste: '${taste}' },`;
const CONVERTED = {
  'Arctic Mint': night('Midnight Mint', 'Peppermint and lavender'),
  'Cherry Bolt': night('Slow Cherry', 'Sour cherry and vanilla'),
  'Peach Pulse': night('Quiet Peach', 'White peach and chamomile'),
  'Grape Charge': night('Grape Rest', 'Red grape and hops'),
};

/** Ten flavors: the eight unchanged, and two new ones. */
export const addedFlavors = (): string =>
  before(FLAVORS).replace(/\];\n$/, `${night('Moonlit Calm', 'Chamomile, honey and lemon balm')}\n${night('Deep Rest', 'Sour cherry and lavender')}\n];\n`);

/** The markers of a task, by part of the plan. */
export interface Changes {
  theme?: string[];
  hero?: string[];
  features?: string[];
  cta?: string[];
  cols?: number;
}

/** The plan of the page. With `changes`, every section has a marker of the task. */
export function planSource(task: number, changes?: Changes): string {
  const { theme = [], cols = 4, ...sections } = changes ?? {};
  const notes = (lines: string[], indent: string) => lines.map((line) => `${indent}{/* ${line} */}\n`).join('');
  const section = (gumdrop: 'hero' | 'features' | 'faq' | 'cta', props = '') => {
    if (!changes) return `      <Section gumdrop="${gumdrop}"${props} />\n`;
    const lines = (gumdrop !== 'faq' && sections[gumdrop]) || [`NO CHANGES for task-${task}`];
    return `      <Section gumdrop="${gumdrop}"${props}>\n${notes(lines, '        ')}      </Section>\n`;
  };
  const look = '<Theme mood="industrial" seed={140} pattern="triadic" font="Space Grotesk" shadowProfile="subtle" radius="moderate"';
  return `export default (
  <App name="VIBRANT ENERGY" description="Energy drinks for adults">
    ${theme.length ? `${look}>\n${notes(theme, '      ')}    </Theme>` : `${look} />`}
    <Screen name="landing" layout="stack">
${section('hero')}${section('features', ` cols={${cols}}`)}${section('faq')}${section('cta')}    </Screen>
  </App>
);
`;
}

export const marker = (task: number, kind: 'ADD' | 'MODIFY' | 'FIX', what: string): string => `TASK-${task} [${kind}]: ${what}`;
