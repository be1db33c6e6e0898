/** The files that the story writes. */
import styles from './files/page.css?raw';

const sources = import.meta.glob<string>('./files/sections/*.tsx', { query: '?raw', import: 'default', eager: true });

/** In page order. */
export const FIRST_SECTIONS = ['hero', 'features', 'cta'];
/** Sections that later tasks can add, with the words that select them. */
export const LATER_SECTIONS: ReadonlyArray<readonly [gumdrop: string, words: RegExp]> = [
  ['pricing', /pric|plans?\b|cost/i],
  ['faq', /faq|question/i],
  ['testimonials', /testimonial|quote|customer/i],
  ['team', /team|people|about us/i],
  ['newsletter', /newsletter|e-?mail|subscri/i],
];

export const APP = 'src/App.tsx';
export const HERO = 'src/sections/HeroSection.tsx';
/** The style sheet with the theme. */
export const SHEET = 'src/index.css';
export const STYLES = 'src/page.css';
export const stylesSource = styles;
/** The command of the plan's theme. The harness runs it; without a plan, the agent does. */
export const THEME_COMMAND = 'theme generate --seed 45 --pattern analogous --mood organic --font Lora --shadow-profile subtle --radius rounded --apply';
/** The hard-coded color that a gate finds. */
export const HARD_CODED = '#b45309';

export const componentName = (gumdrop: string): string => `${gumdrop[0]?.toUpperCase()}${gumdrop.slice(1)}Section`;
export const sectionFile = (gumdrop: string): string => `src/sections/${componentName(gumdrop)}.tsx`;
export const sectionSource = (gumdrop: string): string => sources[`./files/sections/${componentName(gumdrop)}.tsx`] ?? '';

export function flawedSectionSource(gumdrop: string): string {
  return sectionSource(gumdrop).replace('className="eyebrow"', `className="eyebrow" style={{ color: '${HARD_CODED}' }}`);
}

export function appSource(gumdrops: string[]): string {
  const imports = gumdrops.map((gumdrop) => `import { ${componentName(gumdrop)} } from './sections/${componentName(gumdrop)}';`);
  const elements = gumdrops.map((gumdrop) => `      <${componentName(gumdrop)} />`);
  return `${imports.join('\n')}\nimport './page.css';\n\nexport default function App() {\n  return (\n    <main>\n${elements.join('\n')}\n    </main>\n  );\n}\n`;
}

export const addMarker = (taskNumber: number, gumdrop: string): string => `TASK-${taskNumber} [ADD]: the ${gumdrop} section`;

/**
 * With `added`, every section has a marker of the task. `owed` are further markers; they go into the added section, otherwise into
 * `features`.
 */
export function planSource(gumdrops: string[], taskNumber: number, added?: string, owed: string[] = []): string {
  const markers = (gumdrop: string): string[] => {
    if (gumdrop === (added ?? 'features')) return [...(added ? [addMarker(taskNumber, added)] : []), ...owed];
    return added ? [`NO CHANGES for task-${taskNumber}`] : [];
  };
  const sections = gumdrops.map((gumdrop) => {
    const notes = markers(gumdrop).map((marker) => `        {/* ${marker} */}\n`).join('');
    return notes ? `      <Section gumdrop="${gumdrop}">\n${notes}      </Section>` : `      <Section gumdrop="${gumdrop}" />`;
  });
  return `export default (
  <App name="Driftwood" description="A coffee roastery by the sea">
    <Theme mood="organic" seed={45} pattern="analogous" font="Lora" shadowProfile="subtle" radius="rounded" />
    <Screen name="home" layout="stack">
${sections.join('\n')}
    </Screen>
  </App>
);
`;
}

export function summarySource(gumdrops: string[], added?: string): string {
  const list = gumdrops.map((gumdrop) => `- ${componentName(gumdrop)} in ${sectionFile(gumdrop)}`).join('\n');
  return `# Driftwood\n\n${added ? `Added the ${added} section to the page.` : 'Built the landing page from the plan.'}\n\n${list}\n\nAll colors come from the theme in src/index.css. The page's styles are in ${STYLES}.\n`;
}
