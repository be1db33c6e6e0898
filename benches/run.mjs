// Runs all benches, or those in the arguments (a folder, or `first-view`), in the browsers of `BROWSERS` (default: all). Prints a table and writes target/bench.json.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { BROWSERS, launch } from '../tests/e2e/browsers.js';
import { showFirstView } from './first-view.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(dirname(here.replace(/\/$/, '')), 'target');
const wanted = process.argv.slice(2);
const pages = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && (wanted.length === 0 || wanted.includes(entry.name)))
  .map((entry) => entry.name);

const site = { configFile: false, logLevel: 'warn' };
const outDir = join(target, 'bench');

async function main() {
  // Separately, so that no page loads the code of another one.
  for (const page of pages) {
    await build({ ...site, root: join(here, page), base: './', build: { outDir: join(outDir, page), emptyOutDir: true, target: 'es2022' }, worker: { format: 'es' } });
  }
  // Cross-origin isolation gives the page a clock with a higher resolution.
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  const server = await preview({ ...site, root: here, build: { outDir }, preview: { port: 0, headers } });
  try {
    const [address] = server.resolvedUrls.local;
    const rows = [];
    for (const browser of BROWSERS) {
      for (const page of pages) {
        const measured = await measure(browser, new URL(`${page}/index.html`, address));
        rows.push(...measured.map((row) => ({ browser: browser.name, ...row })));
      }
    }
    for (const { name } of BROWSERS) show(name, rows.filter(({ browser }) => browser === name));
    if (wanted.length === 0 || wanted.includes('first-view')) {
      for (const kind of BROWSERS) {
        const browser = await launch(kind);
        await showFirstView(browser, kind.name).finally(() => browser.close());
      }
    }
    writeFileSync(join(target, 'bench.json'), `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await server.close();
  }
}

/** Returns the rows of a page; rejects for its errors. */
async function measure(kind, address) {
  const browser = await launch(kind);
  try {
    const page = await browser.newPage();
    const broken = new Promise((_, reject) => page.once('pageerror', reject));
    console.error(`${kind.name}: ${address.pathname}`);
    let publish;
    const rows = new Promise((resolve) => (publish = resolve));
    await page.exposeFunction('publishRows', publish);
    await page.goto(address.href);
    return await Promise.race([rows, broken]);
  } finally {
    await browser.close();
  }
}

function show(browser, rows) {
  const cells = rows.map(({ name, unit, ours, theirs, goal }) => {
    const show = unit === 'calls' ? String : time;
    const faster = theirs / ours;
    return [name, show(ours), show(theirs), `${faster.toPrecision(3)} ×`, goal === undefined ? '' : `${goal.toPrecision(2)} × ${faster >= goal ? 'met' : 'MISSED'}`];
  });
  const table = [[browser, 'ours', 'theirs', 'faster by', 'goal'], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  for (const [name, ...numbers] of table) {
    console.log([name.padEnd(widths[0]), ...numbers.map((number, column) => number.padStart(widths[column + 1]))].join('   '));
  }
}

/** Formats microseconds. */
function time(microseconds) {
  return microseconds < 1000 ? `${microseconds.toFixed(1)} µs` : `${(microseconds / 1000).toFixed(1)} ms`;
}

mkdirSync(target, { recursive: true });
await main();
