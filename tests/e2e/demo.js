/** The page object of the demo. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readProject } from './lightningfs.js';

const SCREENSHOTS = fileURLToPath(new URL('./screenshots/', import.meta.url));
/** The timeout of every wait. */
const WAIT = { timeout: 60_000, polling: 50 };

/** The index of the first line of the timeline after `after` with this label and text in its title or detail. */
export function indexOfLine(lines, label, text, after = -1) {
  const index = lines.findIndex((line, at) => at > after && line.label === label && `${line.title} ${line.detail}`.includes(text));
  if (index < 0) throw new Error(`no line ${label} "${text}" after ${after}:\n${lines.map((line) => `${line.label}: ${line.title}`).join('\n')}`);
  return index;
}

export class Demo {
  /** URLs of all requests, and all errors of the page. */
  requests = [];
  problems = [];

  constructor(page, address, name) {
    Object.assign(this, { page, address, name });
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && this.problems.push(message.text()));
  }

  async open(query = '?delay=0') {
    await this.page.goto(this.address + query);
    await this.ready();
  }

  /** Firefox reports a reload as aborted if the page still loads something. It reloads anyway. */
  async reload() {
    await this.page.reload().catch((error) => {
      if (!String(error).includes('NS_BINDING_ABORTED')) throw error;
    });
  }

  ready = () => this.until(() => ['Ready', 'Done', 'Stopped'].includes(document.querySelector('[data-testid=status]')?.lastChild?.textContent));
  until = (condition, ...args) => this.page.waitForFunction(condition, WAIT, ...args);
  status = (text) => this.until((text) => document.querySelector('[data-testid=status]')?.lastChild?.textContent === text, text);
  files = () => readProject(this.page);

  /** Clicks a button or a label by its accessible name. */
  click = (name, within = 'body') => this.page.locator(`${within} ::-p-aria([name="${name}"])`).setTimeout(WAIT.timeout).click();

  /** Replaces the message by typing, so that a render in between would be noticed. */
  async write(message) {
    await this.page.waitForSelector('#task-text:not(:disabled)', WAIT);
    await this.page.focus('#task-text');
    await this.press('Control+a');
    await this.page.keyboard.type(message);
  }

  async run(task) {
    if (task !== undefined) await this.write(task);
    await this.click('Run', '.task-panel');
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

  async rollBackTo(tag) {
    await this.click(`Roll back to ${tag}`);
    await this.click('Roll back', 'dialog[open]');
    // The result is there before the dialog, which covers it, is closed.
    await this.until((tag) => !document.querySelector('dialog[open]') && document.querySelector('.rollback-result')?.textContent.includes(tag), tag);
  }

  /** Starts a story by its id. */
  async begin(story) {
    await this.page.select('.story-choice select', story);
    await this.click('Start the story', 'dialog[open]');
    await this.until(() => !document.querySelector('dialog[open]'));
  }

  /** The parsed task: marker and text of each line. */
  structured = () => this.page.$$eval('.reading .task-line', (lines) => lines.map((line) => [...line.children].map((part) => part.textContent).join(' ')));
  /** Waits until the parsed task contains these words. */
  parsedAs = (words) => this.until((words) => document.querySelector('.reading')?.textContent.includes(words), words);

  /** Opens the plan and waits for its editor. */
  async openPlan() {
    await this.page.click('#tab-plan');
    await this.page.waitForSelector('.plan-editor .cm-content', WAIT);
  }

  planText = () => this.page.$$eval('.cm-line', (lines) => lines.map((line) => line.textContent).join('\n'));

  /** Moves the caret after the first match of `after`, with the editor's search, and types. */
  async typeInPlan(after, text) {
    const { keyboard } = this.page;
    await this.page.focus('.cm-content');
    await this.press('Control+Home');
    await this.press('Control+f');
    await this.until(() => document.activeElement.matches('.cm-search input'));
    await this.press('Control+a');
    await keyboard.type(after);
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    await this.until(() => document.activeElement.matches('.cm-content'));
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

  /** The lines of the timeline, oldest first. */
  timeline() {
    return this.page.$$eval('.entry', (rows) => rows.map((row) => ({
      label: row.dataset.label,
      gate: row.dataset.gate,
      title: row.querySelector('.entry-title').textContent,
      detail: row.querySelector('.entry-detail')?.textContent ?? '',
    })));
  }

  /** The verdicts of the last round, by gate. */
  async gates() {
    return Object.fromEntries(await this.page.$$eval('.gate', (rows) => rows.map((row) => [row.dataset.gate, row.dataset.verdict])));
  }

  /** The frame of the project's page, once the condition is true there. Each build replaces the frame. */
  previewFrame(condition, ...args) {
    const holds = (frame) => frame.waitForFunction(condition, WAIT, ...args).then(() => true, () => false);
    return this.page.waitForFrame((frame) => frame.parentFrame()?.parentFrame() === this.page.mainFrame() && holds(frame), WAIT);
  }

  /** Waits until the preview has a heading with this text. */
  previewHas = (text) => this.previewFrame((text) => document.querySelector('h1')?.textContent === text, text);

  snapshots = () => this.page.$$eval('.snapshot', (rows) => rows.map((row) => row.dataset.tag));
  snapshotAppears = (tag) => this.until((tag) => document.querySelector(`.snapshot[data-tag="${tag}"]`), tag);
  lineAppears = (text) => this.until((text) => [...document.querySelectorAll('.entry-title')].some((line) => line.textContent.includes(text)), text);
  focused = () => this.page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);

  /** The state of the page as text, for failed tests: a CI machine may not store screenshots. */
  async report() {
    const shown = await this.page.evaluate(() => {
      const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
      return {
        status: texts('[data-testid=status]'), dialog: texts('dialog[open] h2'), wrong: texts('[role=alert]'), snapshots: texts('.snapshot strong'),
        focus: document.activeElement?.outerHTML.slice(0, 200), timeline: texts('.entry-title').slice(-10), activity: texts('.activity'),
      };
    }).catch((error) => ({ unreadable: String(error) }));
    return `The page shows ${JSON.stringify(shown, null, 1)}\nErrors: ${JSON.stringify(this.problems)}`;
  }

  async screenshot(what) {
    await mkdir(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: `${SCREENSHOTS}${this.name}-${what}.png` });
  }
}
