import assert from 'node:assert/strict';
import { indexOfLine } from './demo.js';
import { inEachBrowser } from './fixture.js';

const SECTIONS = ['src/sections/CtaSection.tsx', 'src/sections/FeaturesSection.tsx', 'src/sections/HeroSection.tsx'];

inEachBrowser('the default story', (demoTest) => {
  demoTest('a plan and a premature completion are refused, and gates fail, then pass', async (demo) => {
    await demo.openAndRun();
    const lines = await demo.timeline();
    const at = (label, text, after) => indexOfLine(lines, label, text, after);

    const claimed = at('Tool', 'Reporting that the work is done');
    const refused = at('Plan', 'heros', claimed);
    assert.match(`${lines[refused].title} ${lines[refused].detail}`, /valid-gumdrops/);
    assert.match(`${lines[refused].title} ${lines[refused].detail}`, /\bhero\b/);
    assert.ok(!lines.slice(0, refused).some((line) => line.label === 'Gate'), 'no gate may run on an unchecked plan');
    const valid = at('Plan', 'The plan is valid', refused);
    const build = at('Phase', 'Building', refused);
    const context = at('Plan', 'Theme applied, 3 of 3 sections with an example', valid);
    assert.match(lines[context].detail, /theme generate --seed 45 --pattern analogous --mood organic[^]*hero recipe found, in src\/sections\/HeroSection\.tsx/);
    assert.ok(!lines.some(({ label, title }) => label === 'Tool' && title.startsWith('Running')), 'the harness applies the theme');
    const scaffold = at('Gate', 'Check failed: the app still shows the template', Math.max(valid, build));
    const color = at('Gate', 'Check failed: some colors do not come from the theme', scaffold);
    assert.match(lines[color].detail, /HeroSection\.tsx/);
    const failures = lines.filter(({ label, title }) => label === 'Gate' && title.startsWith('Check failed: ')).map(({ gate }) => gate);
    for (const gate of ['work-done', 'app-has-content', 'no-hardcoded-colors']) assert.ok(failures.includes(gate), `${gate}: ${failures}`);
    const accepted = at('Phase', 'Finishing', color);
    at('Snapshot', 'Saved the project after task 1', Math.min(accepted, lines.length));
    at('Run', 'Done', accepted);

    const verdicts = await demo.gates();
    for (const [gate, verdict] of Object.entries(verdicts)) assert.ok(verdict === 'pass' || verdict === 'warn', `${gate}: ${verdict}`);
    for (const gate of failures) assert.equal(verdicts[gate], 'pass', gate);
    await demo.snapshotAppears('task-1-post');
    assert.deepEqual(await demo.snapshots(), ['task-1-post', 'task-1-pre']);
    assert.equal(await demo.page.$eval('[data-path="src/App.tsx"]', (row) => row.textContent), 'App.tsxagent, changed by the agentM, modified in this run');

    const files = await demo.files();
    for (const path of SECTIONS) assert.match(files[path], /export function \w+Section/, path);
    assert.match(files['src/App.tsx'], /<HeroSection \/>/);
    assert.doesNotMatch(files['src/App.tsx'], /to get started/);
    assert.doesNotMatch(files['src/sections/HeroSection.tsx'], /#[0-9a-f]{6}/);
    assert.match(files['src/index.css'], /--font-serif: "Lora"[^]*\.dark \{\n {2}--background: oklch/);
    assert.match(files['.ralph/plan.tsx'], /gumdrop="hero"/);
    assert.ok(files['.ralph/summary.md'].length >= 20);
    assert.equal(files['.ralph/status.txt'].trim(), 'complete');
    assert.deepEqual(demo.problems, []);
    await demo.screenshot('story');
  });

  demoTest('a second task adds a section', async (demo) => {
    await demo.open();
    await demo.run();
    await demo.snapshotAppears('task-1-post');
    await demo.status('Done');
    const before = await demo.files();
    await demo.run('Add a pricing section');
    await demo.snapshotAppears('task-2-post');
    await demo.status('Done');
    const after = await demo.files();
    assert.match(after['src/sections/PricingSection.tsx'], /PricingSection/);
    assert.match(after['src/App.tsx'], /<PricingSection \/>/);
    assert.match(after['.ralph/plan.tsx'], /TASK-2 \[ADD\]/);
    for (const path of SECTIONS) assert.equal(after[path], before[path], path);
    assert.deepEqual(await demo.snapshots(), ['task-2-post', 'task-2-pre', 'task-1-post', 'task-1-pre']);
  });

  demoTest('the preview runs the build, and the viewer shows the source', async (demo) => {
    await demo.openAndRun();
    await demo.click('Preview');
    await demo.previewHas('Coffee that tastes of where it grew');
    await demo.screenshot('preview');
    await demo.page.click('[data-path="src/App.tsx"]');
    await demo.until(() => document.querySelector('.code')?.textContent.includes('<HeroSection />'));
  });
});
