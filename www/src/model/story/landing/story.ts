/**
 * A landing page, with typical mistakes of agents: an unknown section in the plan, a completion claim before any work, a hard-coded
 * color. Later tasks add a section each.
 */
import { template } from '../../../project/template';
import { asRead, complete, done, failed, FAILED_CHECK, has, lacks, LISTING, PLAN, read, readIfThere, shell, SUMMARY, textsOf, write, type Condition, type Part, type Story, type Text, type Turn } from '../story';

const file = textsOf(import.meta.glob<string>('./files/**/*', { query: '?raw', import: 'default', eager: true }), 'files');

const APP = 'src/App.tsx';
const HERO = 'src/sections/HeroSection.tsx';
/** The style sheet with the theme. */
const SHEET = 'src/index.css';
const STYLES = 'src/page.css';
/** The hard-coded color that a check finds. */
const HARD_CODED = '#b45309';
const FIRST = ['hero', 'features', 'cta'];
const LATER = ['pricing', 'faq', 'testimonials'];

const nameOf = (section: string): string => `${section[0]!.toUpperCase()}${section.slice(1)}Section`;
const pathOf = (section: string): string => `src/sections/${nameOf(section)}.tsx`;
const sourceOf = (section: string): string => file(`sections/${nameOf(section)}.tsx`);
const flawedHero = sourceOf('hero').replace('className="eyebrow"', `className="eyebrow" style={{ color: '${HARD_CODED}' }}`);

/** Of each section, what `piece` makes of it: of the first ones and `added` always, of other later ones if they are there. */
const ofSections = (piece: (section: string) => string, added?: string, there = (section: string): Condition => has(LISTING, pathOf(section))) => [
  ...FIRST.map(piece),
  ...LATER.map((section) => (section === added ? piece(section) : { when: [there(section)], text: piece(section) })),
];

const appSource = (added?: string): Text => [
  ...ofSections((section) => `import { ${nameOf(section)} } from './sections/${nameOf(section)}';\n`, added),
  "import './page.css';\n\nexport default function App() {\n  return (\n    <main>\n",
  ...ofSections((section) => `      <${nameOf(section)} />\n`, added),
  '    </main>\n  );\n}\n',
];

const planned = (section: string): string => `<Section gumdrop="${section}"`;
const PLAN_START = `export default (
  <App name="Driftwood" description="A coffee roastery by the sea">
    <Theme mood="organic" seed={45} pattern="analogous" font="Lora" shadowProfile="subtle" radius="rounded" />
    <Screen name="home" layout="stack">
`;
const PLAN_END = '    </Screen>\n  </App>\n);\n';
const firstPlan = (sections: string[]): string => `${PLAN_START}${sections.map((section) => `      ${planned(section)} />\n`).join('')}${PLAN_END}`;
const laterPlan = (added: string): Text => [
  PLAN_START,
  ...ofSections((section) => `      ${planned(section)}>\n        {/* ${section === added ? `TASK-{{task}} [ADD]: the ${section} section` : 'NO CHANGES for task-{{task}}'} */}\n      </Section>\n`, added, (section) => has(PLAN, planned(section))),
  PLAN_END,
];

const summarySource = (added?: string): Text => [
  `# Driftwood\n\n${added ? `Added the ${added} section to the page.` : 'Built the landing page from the plan.'}\n\n`,
  ...ofSections((section) => `- ${nameOf(section)} in ${pathOf(section)}\n`, added),
  `\nAll colors come from the theme in ${SHEET}. The page's styles are in ${STYLES}.\n`,
];

const LOOK: Turn = { say: 'I read the task, my notes and the app.', calls: [read(APP), readIfThere(HERO), read(SHEET)] };
/** After a plan, loopgate has applied the theme. */
const THEME: Turn = {
  say: 'There is no theme, so I apply one with variables for light and dark.',
  calls: [shell('theme generate --seed 45 --pattern analogous --mood organic --font Lora --shadow-profile subtle --radius rounded --apply')],
  when: [lacks(asRead(SHEET), '--sidebar-ring:')],
};
const isTemplate = has(asRead(APP), 'to get started');

const build: Part = {
  work: { kind: 'task', message: 'Build a landing page for Driftwood, a small coffee roastery by the sea.' },
  playable: [has(APP, 'to get started')],
  scenes: [
    { phase: 'plan', when: [has(PLAN, planned('hero'))], turns: [LOOK, { say: 'I write the plan of this task.', calls: [write(PLAN, firstPlan(FIRST))] }, done('The plan is written.')] },
    {
      phase: 'plan',
      when: [has(PLAN, planned('heros'))],
      turns: [LOOK, { say: 'The plan was refused: there is no section type "heros". The suggestion is "hero".', calls: [write(PLAN, firstPlan(FIRST))] }, done('The plan is written.')],
    },
    { phase: 'plan', turns: [LOOK, { say: 'I write a plan for the landing page and claim completion.', calls: [write(PLAN, firstPlan(['heros', 'features', 'cta'])), complete()] }] },
    { when: [lacks(LISTING, 'src/sections/'), lacks('.ralph/feedback.md', 'FAIL [')], turns: [LOOK, { say: 'The plan is valid, so I claim completion.', calls: [complete()] }] },
    {
      when: [has(LISTING, HERO), has(asRead(HERO), HARD_CODED), failed('no-hardcoded-colors')],
      turns: [
        LOOK,
        { say: `A check found ${HARD_CODED} in the hero. The style sheet has a theme color for it, so I remove the inline style.`, calls: [write(HERO, sourceOf('hero'))] },
        done(),
      ],
    },
    { when: [has(SUMMARY, 'Driftwood')], turns: [LOOK, done()] },
    {
      turns: [
        LOOK,
        THEME,
        { say: 'I build the page: one file per section, as in the build instructions.', calls: FIRST.map((section) => write(pathOf(section), section === 'hero' ? flawedHero : sourceOf(section))), when: [isTemplate] },
        { say: 'I add the sections to the app and write the summary.', calls: [write(STYLES, file('page.css')), write(APP, appSource()), write(SUMMARY, summarySource())] },
        done(),
      ],
    },
  ],
};

const adding = (section: string, message: string): Part => ({
  work: { kind: 'task', message },
  playable: [has(APP, '<HeroSection />'), lacks(APP, nameOf(section))],
  scenes: [
    { phase: 'plan', turns: [LOOK, { say: `I add the ${section} section to the plan and mark the others as unchanged.`, calls: [write(PLAN, laterPlan(section))] }, done('The plan is up to date.')] },
    { when: [has(SUMMARY, section)], turns: [LOOK, done()] },
    {
      turns: [
        LOOK,
        { say: `I add the ${section} section to the plan.`, calls: [write(PLAN, laterPlan(section))], when: [has(PLAN, planned('hero')), lacks(PLAN, planned(section))] },
        { say: `I write the ${section} section.`, calls: [write(pathOf(section), sourceOf(section))] },
        { say: 'I add it to the app, below the others.', calls: [write(APP, appSource(section)), write(SUMMARY, summarySource(section))] },
        done(),
      ],
    },
  ],
});

export const landing: Story = {
  id: 'landing',
  title: 'A landing page',
  point: 'Watch it refuse a claim that the page is done',
  length: '15 seconds',
  watch: [
    { text: 'The agent plans a section type that does not exist, and the plan is refused.' },
    { text: 'It claims that the page is done, but it has changed nothing. The claim is refused.', caught: FAILED_CHECK },
    { text: 'A check finds a color that is not from the theme.' },
    { text: 'The agent fixes it. All checks pass, and the page is version 1.' },
  ],
  files: template,
  parts: [build, adding('pricing', 'Add a pricing section'), adding('faq', 'Add a FAQ section'), adding('testimonials', 'Add testimonials')],
};
