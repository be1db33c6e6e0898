// Runs all benches, or those in the arguments, in Chromium. Prints a table and writes target/bench.json.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { BROWSERS, launch } from '../tests/e2e/browsers.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(dirname(here.replace(/\/$/, '')), 'target');
const wanted = process.argv.slice(2);
const pages = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && (wanted.length === 0 || wanted.includes(entry.name)))
  .map((entry) => entry.name);

const site = { root: here, configFile: false, logLevel: 'warn', build: { outDir: join(target, 'bench'), emptyOutDir: true } };

async function main() {
  const input = pages.map((page) => join(here, page, 'index.html'));
  await build({ ...site, build: { ...site.build, target: 'es2022', rollupOptions: { input } } });
  // Cross-origin isolation gives the page a clock with a higher resolution.
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  const server = await preview({ ...site, preview: { port: 0, headers } });
  try {
    const [address] = server.resolvedUrls.local;
    const rows = [];
    for (const page of pages) rows.push(...(await measure(new URL(`${page}/index.html`, address))));
    show(rows);
    writeFileSync(join(target, 'bench.json'), `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await server.close();
  }
}

/** Returns the rows of a page; rejects for its errors. */
async function measure(address) {
  const browser = await launch(BROWSERS.find(({ name }) => name === 'chromium'));
  try {
    const page = await browser.newPage();
    const broken = new Promise((_, reject) => page.once('pageerror', reject));
    // The progress of long benches.
    page.on('console', (message) => message.type() === 'log' && console.error(message.text()));
    let publish;
    const rows = new Promise((resolve) => (publish = resolve));
    await page.exposeFunction('publishRows', publish);
    await page.goto(address.href);
    return await Promise.race([rows, broken]);
  } finally {
    await browser.close();
  }
}

function show(rows) {
  const cells = rows.map(({ name, ours, theirs, goal }) => {
    const faster = theirs / ours;
    return [name, time(ours), time(theirs), `${faster.toPrecision(3)} ×`, goal === undefined ? '' : `${goal} × ${faster >= goal ? 'met' : 'MISSED'}`];
  });
  const table = [['bench', 'ours', 'theirs', 'faster by', 'goal'], ...cells];
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
