/** The shop of the stories about drinks: a page with eight flavors. */
import { template } from '../../../project/template';
import { done, PLAN, SUMMARY, textsOf, write, type Part, type Turn } from '../story';

const sources = import.meta.glob<string>('./{shop,files}/**/*', { query: '?raw', import: 'default', eager: true });
const before = textsOf(sources, 'shop');
/** A file that a task writes. */
export const file = textsOf(sources, 'files');

export const TOGGLE = 'src/components/MoodToggle.tsx';
export const FLAVORS = 'src/data/flavors.ts';
export const HERO = 'src/sections/HeroSection.tsx';
export const FEATURES = 'src/sections/FeaturesSection.tsx';
export const CTA = 'src/sections/CtaSection.tsx';

const night = (name: string, taste: string): string => `  { name: '${name}', when: 'night', taste: '${taste}' },`;
const CONVERTED = {
  'Arctic Mint': night('Midnight Mint', 'Peppermint and lavender'),
  'Cherry Bolt': night('Slow Cherry', 'Sour cherry and vanilla'),
  'Peach Pulse': night('Quiet Peach', 'White peach and chamomile'),
  'Grape Charge': night('Grape Rest', 'Red grape and hops'),
};

/** Eight flavors, the last four of them converted: a wrong result of "add 2 more for nighttime". */
export const convertedFlavors = Object.entries(CONVERTED).reduce((text, [name, drink]) => text.replace(new RegExp(`^ {2}\\{ name: '${name}'.*$`, 'm'), drink), before(FLAVORS));

/** Ten flavors: the eight unchanged, and two new ones. */
export const addedFlavors = before(FLAVORS).replace(/\];\n$/, `${night('Moonlit Calm', 'Chamomile, honey and lemon balm')}\n${night('Deep Rest', 'Sour cherry and lavender')}\n];\n`);

/** The markers of a task, by part of the plan. */
export interface Changes {
  theme?: string[];
  hero?: string[];
  features?: string[];
  cta?: string[];
  cols?: number;
}

/** The plan of the page. With `changes`, every section has a marker of the task. */
export function planSource(changes?: Changes): string {
  const { theme = [], cols = 4, ...sections } = changes ?? {};
  const notes = (lines: string[], indent: string) => lines.map((line) => `${indent}{/* ${line} */}\n`).join('');
  const section = (gumdrop: 'hero' | 'features' | 'faq' | 'cta', props = '') => {
    if (!changes) return `      <Section gumdrop="${gumdrop}"${props} />\n`;
    const lines = (gumdrop !== 'faq' && sections[gumdrop]) || ['NO CHANGES for task-{{task}}'];
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

/** Writes the plan of a change. */
export const plans = (say: string, changes: Changes): Turn[] => [{ say, calls: [write(PLAN, planSource(changes))] }, done('The plan is written.')];

const shopFiles = Object.keys(sources).filter((path) => path.startsWith('./shop/')).map((path) => path.replace('./shop/', ''));

/** Builds the shop without mistakes. */
const opening: Part = {
  work: { kind: 'task', message: 'Redesign the landing page as VIBRANT ENERGY: 8 drinks, questions and answers, and a toggle between two moods.' },
  scenes: [
    { phase: 'plan', turns: [{ say: '', calls: [write(PLAN, planSource())] }, done('')] },
    {
      turns: [
        { say: '', calls: shopFiles.map((path) => write(path, before(path))) },
        { say: '', calls: [write(SUMMARY, 'Redesigned the landing page as VIBRANT ENERGY with 8 drinks.\n\nA hero, 8 drinks in src/data/flavors.ts, questions and answers, a call to action, and a toggle between two moods.\n')] },
        done(''),
      ],
    },
  ],
};

/** The counter makes the task that builds the shop number 2. */
export const shop = { files: [...template, ['.ralph/task-counter.txt', '1'] as const], opening };
