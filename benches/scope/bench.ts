import init, { checkScope } from 'loopgate';
import { compareWarm, publish } from '../measure.ts';

await init();

/** The time limit. */
const BOUND_US = 5_000;
const CARDS = 40;

/** A section of about 500 lines with this many drinks. */
function section(drinks: number): string {
  const items = Array.from({ length: drinks }, (_, at) => `  { name: 'Drink ${at}', price: ${at + 3}, tags: ['cold', 'new'] },`);
  const cards = Array.from({ length: CARDS }, (_, at) => CARD.replaceAll('NUMBER', String(at)));
  return `import { useState } from 'react';\n\nconst drinks = [\n${items.join('\n')}\n];\n\nexport function GridListSection() {\n  const [open, setOpen] = useState(0);\n  return (\n    <section id="grid-list">\n      {drinks.map((drink) => (\n        <Card key={drink.name} title={drink.name} price={drink.price} />\n      ))}\n${cards.join('\n')}\n    </section>\n  );\n}\n`;
}

const CARD = `      <article className="rounded-lg bg-card p-6">
        <header>
          <h3 className="text-xl">Part NUMBER</h3>
          <p className="text-muted-foreground">What a visitor reads about part NUMBER.</p>
        </header>
        <button
          type="button"
          aria-expanded={open === NUMBER}
          onClick={() => setOpen((before) => (before === NUMBER ? 0 : NUMBER))}
        >
          {open === NUMBER ? 'Less' : 'More'}
        </button>
      </article>`;

const plan = `export default (
  <App name="Tea"><Theme mood="zen" /><Screen name="home">
    <Section gumdrop="grid-list">
      {/* EXISTING 8 drinks PRESERVED */}
      {/* TASK-2 [ADD]: 2 drinks for the night */}
    </Section>
  </Screen></App>
)`;
const path = 'src/sections/GridListSection.tsx';
const before = { [path]: section(8) };
const after = { [path]: section(10) };
const lines = before[path]!.split('\n').length;

const ours = () => {
  const report = checkScope({ plan, taskNumber: 2, before, after });
  if (report.overall !== 'pass') throw new Error(`two drinks were added: ${JSON.stringify(report)}`);
  return report;
};

const { ours: taken } = compareWarm('', ours, () => null);
publish([{ name: `checkScope, ${lines} lines, limit 5 ms`, ours: taken, theirs: BOUND_US, goal: 1 }]);
