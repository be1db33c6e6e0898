// Runs every bench in Chromium: prints a table, and writes target/bench.json.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { BROWSERS, launch } from '../tests/e2e/browsers.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(dirname(here.replace(/\/$/, '')), 'target');
const pages = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map((entry) => entry.name);

const site = { root: here, configFile: false, logLevel: 'warn', build: { outDir: join(target, 'bench'), emptyOutDir: true } };

async function main() {
  const input = pages.map((page) => join(here, page, 'index.html'));
  await build({ ...site, build: { ...site.build, target: 'es2022', rollupOptions: { input } } });
  // Isolation from other origins gives the page a finer clock.
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

/** The rows that a page publishes; its errors are ours. */
async function measure(address) {
  const browser = await launch(BROWSERS.find(({ name }) => name === 'chromium'));
  try {
    const page = await browser.newPage();
    const broken = new Promise((_, reject) => page.once('pageerror', reject));
    await page.goto(address.href);
    const rows = page.waitForFunction('globalThis.rows', { timeout: 120_000 });
    return await (await Promise.race([rows, broken])).jsonValue();
  } finally {
    await browser.close();
  }
}

function show(rows) {
  const cells = rows.map(({ name, ours, theirs }) => [name, `${ours.toFixed(1)} µs`, `${theirs.toFixed(1)} µs`, `${(theirs / ours).toFixed(2)} ×`]);
  for (const [name, ...numbers] of [['bench', 'ours', 'theirs', 'faster by'], ...cells]) {
    console.log(name.padEnd(32) + numbers.map((number) => number.padStart(14)).join(''));
  }
}

mkdirSync(target, { recursive: true });
await main();
