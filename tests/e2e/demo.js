/** The page object of the demo. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readProject } from './lightningfs.js';
import { stretchLimits } from './limits.js';

const SCREENSHOTS = fileURLToPath(new URL('./screenshots/', import.meta.url));
/** Not by frames, which a page in the background does not draw. */
const POLLING = { polling: 50 };

/** The index of the first line of the thread after `after` with this text in its title or detail. */
export function indexOfLine(lines, text, after = -1) {
  const index = lines.findIndex((line, at) => at > after && `${line.title} ${line.detail}`.includes(text));
  if (index < 0) throw new Error(`no line "${text}" after ${after}:\n${lines.map(({ title }) => title).join('\n')}`);
  return index;
}

/** The query with which the first call of this role whose conversation has these words hangs. */
export const hangingAt = (words, role = 'builder') => `?delay=0&hang=${encodeURIComponent(`${role}:${words}`)}`;

export class Demo {
  /** URLs of all requests, and all errors of the page. */
  requests = [];
  problems = [];
  /** The newest wait, for the report of a test that hangs. */
  awaited = '';

  /** `isStretched`: see {@link stretchLimits}. */
  static async inNewPage(context, address, name, { isStretched = true } = {}) {
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    if (isStretched) await page.evaluateOnNewDocument(stretchLimits);
    return new Demo(page, address, name);
  }

  constructor(page, address, name) {
    Object.assign(this, { page, address, name });
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && this.problems.push(message.text()));
  }

  async open(query = '?delay=0') {
    await this.visit(this.address + query);
    await this.ready();
  }

  /** Loads an address. Puppeteer waits for the frames of the page before to go, and in Firefox it may miss that; so this waits for the new page. */
  async visit(address) {
    if (this.page.url() === 'about:blank') return this.page.goto(address);
    await this.#leave((address) => location.assign(address), address);
  }

  reload = () => this.#leave(() => location.reload());

  async #leave(how, address) {
    await this.page.evaluate(`globalThis.isLeft = true; setTimeout(() => (${how})(${JSON.stringify(address)}));`);
    this.awaited = `the next page, ${address ?? 'the same one'}`;
    // Each look is short, so the page cannot go in the middle of one and take the answer with it.
    const isThere = () => this.page.evaluate(() => !globalThis.isLeft && document.readyState === 'complete').catch(() => false);
    while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, POLLING.polling));
  }

  /** From the next load of the page on. */
  setQuery = (query) => this.page.evaluate((query) => history.replaceState(null, '', query), query);

  ready = () => this.until(() => ['Ready', 'Done', 'To look at', 'Stopped', 'Failed', 'Interrupted', 'Waiting for you', 'Needs you'].includes(document.querySelector('[data-testid=status]')?.lastChild?.textContent));
  /** An element that is not there yet is no error: after one, Puppeteer would not look again. Its handles may be lost in a reload of Firefox. */
  until = (condition, ...args) => {
    this.awaited = `${condition} ${JSON.stringify(args)}`;
    const wait = () => this.page.waitForFunction(`(() => { try { return (${condition})(...${JSON.stringify(args)}); } catch (error) { if (error instanceof TypeError) return false; throw error; } })()`, POLLING);
    return wait().catch((error) => (/no such handle/.test(error.message) ? wait() : Promise.reject(error)));
  };
  /** A task whose requirements no check settles is done as well. */
  status = (text) => this.until((text) => [text, ...(text === 'Done' ? ['To look at'] : [])].includes(document.querySelector('[data-testid=status]')?.lastChild?.textContent), text);
  files = () => readProject(this.page);

  /** Clicks a button or a label by its accessible name. */
  async click(name, within = 'body') {
    const button = this.page.locator(`${within} ::-p-aria([name="${name}"])`);
    this.awaited = `${name} in ${within}`;
    // A click below a sticky footer is a click on the footer.
    await (await button.waitHandle()).evaluate((element) => element.scrollIntoView({ block: 'nearest', behavior: 'instant' }));
    await button.click();
  }

  /** Opens a view of the stage. */
  async show(tab) {
    const name = `${tab[0].toUpperCase()}${tab.slice(1)}`;
    const isPhone = await this.page.$('.nav-bar');
    if (await this.page.$(`.nav-bar ::-p-aria([name="${name}"])`)) await this.click(name, '.nav-bar');
    else if (!(await this.page.$(`#tab-${tab}`))) {
      await this.page.click(isPhone ? '.project-menu' : '[aria-label="More views"]');
      await this.click(name, '.menu:popover-open');
    }
    if (!isPhone) await this.page.locator(`#tab-${tab}`).click();
    // Its code is loaded when it is shown first.
    await this.page.waitForSelector(`#panel-${tab}:not([hidden]) > *`);
  }

  /** Replaces the message, or the text of another field, by typing, so that a render in between would be noticed. */
  async write(message, field = '#task-text') {
    await this.page.waitForSelector(`${field}:not(:disabled)`);
    await this.page.focus(field);
    await this.press('Control+a');
    await this.page.keyboard.type(message);
  }

  async run(task) {
    if (task !== undefined) await this.write(task);
    await this.click('Run', '.composer');
  }

  /** Runs the default task up to this line; the next call of the builder whose conversation has the words hangs. Later loads of the page do not. */
  async runUntil(line, words) {
    await this.open(hangingAt(words));
    await this.run();
    await this.lineAppears(line);
    await this.waitsForModel();
    await this.setQuery('?delay=0');
  }

  /** Waits until a call of the model hangs. */
  waitsForModel = () => this.until(() => document.querySelector('.activity')?.textContent.includes('Waiting for the model'));

  /** Stops the run if it has not ended. */
  async stop() {
    await this.press('Control+.');
    await this.until(() => /Stopped|Failed|Ready|Done|To look at|Ended/.test(document.querySelector('[data-testid=status]').textContent));
  }

  /** Opens the demo and runs the default task. */
  async openAndRun() {
    await this.open();
    await this.run();
    await this.status('Done');
  }

  /** Chooses an OpenAI-compatible model. The page forgets its key when it is reloaded. */
  async chooseModel({ address, key }) {
    await this.openModel('other');
    await this.page.locator('.model-fields input[type=url]').fill(address);
    await this.page.locator('.model-fields input[type=password]').fill(key);
    await this.page.locator('.model-fields input[type=text]').fill('test-model');
    await this.useModel();
  }

  /** Opens the dialog of the model, and a provider there. */
  async openModel(provider) {
    await this.page.click('.model-button');
    await this.page.locator(`.provider input[value=${provider}]`).click();
  }

  async useModel() {
    await this.click('Use this model', 'dialog[open]');
    await this.until(() => !document.querySelector('dialog[open]'));
  }

  /** Restores a version by its name: `version 1`, `the start of the project`. */
  async restore(name) {
    await this.show('versions');
    await this.click(`Restore ${name}`);
    await this.click('Restore this version', '.menu:popover-open');
    await this.until((text) => document.querySelector('.toast')?.textContent.includes(text), `Restored ${name}`);
  }

  /** Opens a story by its id, without playing it. */
  async begin(story) {
    const address = new URL(await this.page.evaluate(() => location.href));
    address.searchParams.set('story', story);
    await this.visit(address.href);
    await this.ready();
    if (await this.page.$('dialog[open]')) await this.click('Replace the project', 'dialog[open]');
    await this.until(() => !document.querySelector('dialog[open]'));
  }

  /** What the newest task was understood as: marker and text of each line. */
  understood = () => this.page.$$eval('.thread-list > .thread-card .task-line', (lines) => lines.map((line) => [...line.children].map((part) => part.textContent).join(' ')));
  /** Waits until the chips above the message contain these words. */
  parsedAs = (words) => this.until((words) => document.querySelector('.chips')?.textContent.includes(words), words);

  /** Opens the source of the plan and waits for its editor. */
  async openPlan() {
    await this.show('plan');
    await this.page.waitForSelector('.plan-source');
    if (await this.page.$('.plan-source[aria-pressed=false]')) await this.page.click('.plan-source');
    await this.page.waitForSelector('.plan-editor .cm-content', { visible: true });
  }

  async openFile(path) {
    await this.show('code');
    if (await this.page.$eval('.tree-button', (button) => button.checkVisibility())) await this.page.click('.tree-button');
    await this.page.$$eval('#code-tree details', (folders) => folders.forEach((folder) => (folder.open = true)));
    await this.page.click(`#code-tree [data-path="${path}"]`);
  }

  planText = () => this.page.$$eval('.plan-editor .cm-line', (lines) => lines.map((line) => line.textContent).join('\n'));

  /** Moves the caret after the first match of `after`, with the editor's search, and types. */
  async typeInPlan(after, text) {
    const { keyboard } = this.page;
    await this.page.focus('.plan-editor .cm-content');
    await this.press('Control+Home');
    await this.press('Control+f');
    await this.until(() => document.activeElement.matches('.cm-search input'));
    await this.press('Control+a');
    await keyboard.type(after);
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await this.until(() => document.activeElement.matches('.plan-editor .cm-content'));
    await keyboard.press('ArrowRight');
    await keyboard.type(text);
  }

  /** Runs a line in the shell and returns its output. */
  async execute(line) {
    await this.page.focus('#shell-command');
    await this.page.keyboard.type(line);
    await this.page.keyboard.press('Enter');
    await this.until((line) => [...document.querySelectorAll('.shell-line')].at(-1)?.textContent.startsWith(`$ ${line}`) && document.querySelector('.shell-form button').textContent === 'Execute', line);
    return this.page.$$eval('.shell-line', (lines) => lines.at(-1).innerText);
  }

  /** A key combination, such as `Control+s`. */
  async press(keys) {
    const names = keys.split('+');
    for (const name of names) await this.page.keyboard.down(name);
    for (const name of names.toReversed()) await this.page.keyboard.up(name);
  }

  /** Presses Tab until the condition is true. */
  async tabTo(there, { back = false } = {}) {
    for (let stop = 0; stop < 120; stop++) {
      if (await this.page.evaluate(there)) return;
      await this.press(back ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`the focus did not reach ${there}`);
  }

  /** The lines of the attempts of the newest run, oldest first. The lines of folded attempts are in the page. */
  timeline() {
    return this.page.$$eval('.thread-list > .attempt .entry', (rows) => rows.map((row) => ({
      type: row.dataset.type,
      gate: row.dataset.gate,
      title: row.querySelector('.entry-title').textContent,
      detail: row.querySelector('.entry-detail')?.textContent ?? '',
    })));
  }

  /** The texts of the attempts of the newest run. */
  attempts = () => this.page.$$eval('.thread-list > .attempt .attempt-title', (titles) => titles.map((title) => title.textContent));
  /** The card with the end of the newest run. */
  outcome = () => this.page.$eval('[data-testid=outcome]', (card) => card.innerText);

  /** The verdicts of the last round, by gate. */
  async gates() {
    return Object.fromEntries(await this.page.$$eval('.gate', (rows) => rows.map((row) => [row.dataset.gate, row.dataset.verdict])));
  }

  /** The frame of the project's page, once the condition is true there. Each build replaces the frame. */
  previewFrame(condition, ...args) {
    const holds = (frame) => frame.waitForFunction(condition, POLLING, ...args).then(() => true, () => false);
    return this.page.waitForFrame((frame) => frame.parentFrame()?.parentFrame() === this.page.mainFrame() && holds(frame));
  }

  /** Waits until the preview has a heading with this text. */
  previewHas = (text) => this.previewFrame((text) => document.querySelector('h1')?.textContent === text, text);

  /** The tags of the versions and backups in the view, each version with the one before it. */
  snapshots = () => this.page.$$eval('.version', (rows) => [...new Set(rows.flatMap(({ dataset }) => [dataset.tag, dataset.before]).filter(Boolean))]);
  snapshotAppears = (tag) => this.until((tag) => document.querySelector(`.version:is([data-tag="${tag}"], [data-before="${tag}"])`), tag);
  lineAppears = (text) => this.until((text) => [...document.querySelectorAll('.thread :is(.entry-title, .thread-heading, .attempt-title)')].some((line) => line.textContent.includes(text)), text);

  /** How far the page itself scrolls. Only its views do. */
  scrolled = () => this.page.evaluate(() => (scrollTo(0, 10_000), scrollY));

  /** The state of the page as text, for failed tests: a CI machine may not store screenshots. */
  async report() {
    const shown = await this.page.evaluate(() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.slice(0, 200));
      return {
        status: texts('[data-testid=status]'), dialog: texts('dialog[open] h2'), wrong: texts('[role=alert]'), versions: texts('.version strong'), toast: texts('.toast'),
        focus: document.activeElement?.outerHTML.slice(0, 200), thread: texts('.thread-list > *').slice(-6), activity: texts('.activity'),
      };
    }).catch((error) => ({ unreadable: String(error) }));
    return `The page shows ${JSON.stringify(shown, null, 1)}\nErrors: ${JSON.stringify(this.problems)}\nAwaited last: ${this.awaited}`;
  }

  async screenshot(what) {
    await mkdir(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: `${SCREENSHOTS}${this.name}-${what}.png` });
  }
}
