/** What the story writes: a page of sections, its styles, its plan. */
import styles from './files/page.css?raw';

const sources = import.meta.glob<string>('./files/sections/*.tsx', { query: '?raw', import: 'default', eager: true });

/** The sections of the first task, in their order. */
export const FIRST_SECTIONS = ['hero', 'features', 'cta'];
/** What a later task can add, by what its message may say. */
export const LATER_SECTIONS: ReadonlyArray<readonly [gumdrop: string, words: RegExp]> = [
  ['pricing', /pric|plans?\b|cost/i],
  ['faq', /faq|question/i],
  ['testimonials', /testimonial|quote|customer/i],
  ['team', /team|people|about us/i],
  ['newsletter', /newsletter|e-?mail|subscri/i],
];

export const APP = 'src/App.tsx';
export const HERO = 'src/sections/HeroSection.tsx';
/** The style sheet that holds the theme. */
export const SHEET = 'src/index.css';
export const STYLES = 'src/page.css';
export const stylesSource = styles;
/** What the plan's theme means as a command. The harness runs it; the agent does where there was no plan. */
export const THEME_COMMAND = 'theme generate --seed 45 --pattern analogous --mood organic --font Lora --shadow-profile subtle --radius rounded --apply';
/** The colour that the agent writes by hand at first, for a gate to find. */
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

/** What the plan says of a section that a task adds. */
export const addMarker = (taskNumber: number, gumdrop: string): string => `TASK-${taskNumber} [ADD]: the ${gumdrop} section`;

/**
 * With a section that task `taskNumber` adds, every section says whether the task concerns it. `owed` are further markers:
 * they stand in that section, else in the one that has a list, where anything can be added.
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
  return `# Driftwood\n\n${added ? `Added the ${added} section to the page.` : 'Built the landing page from the plan.'}\n\n${list}\n\nColours come from the theme in src/index.css alone, the page's styles are in ${STYLES}.\n`;
}
