/**
 * A question to the user: the phone number is wrong in the imprint and in the archive. The policy denies the archive, for the tool and the
 * shell, and asks about the imprint. The answer is in the prompt of the next iteration, and the agent follows its note.
 */
import { template, type ProjectFiles } from '../../../project/template';
import type { Observation } from '../observe';
import { done, edit, NOTHING_MORE, read, shell, SUMMARY, write, type Call, type Turn } from '../turn';

const sources = import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true });
const source = (name: string): string => sources[`./files/${name}`] ?? '';

const APP = 'src/App.tsx';
const ARCHIVE = 'archive/2019.md';
const IMPRINT = 'src/legal/Imprint.tsx';
const [OLD, NEW] = ['030 1111', '030 1234'];
const OLD_LINE = `<p>Phone: ${OLD}</p>`;
const NEW_LINE = `<p>Phone: ${NEW}</p>`;

export const task = `Fix the phone number: it is ${NEW}, not ${OLD}.`;
export const files: ProjectFiles = [
  ...template.filter(([path]) => path !== APP),
  [APP, source('App.tsx')],
  [IMPRINT, source('Imprint.tsx')],
  [ARCHIVE, source('archive.md')],
  ['.handoff/config.yaml', source('config.yaml')],
];

export function decide(seen: Observation): Turn {
  return turns(seen)[seen.turns] ?? NOTHING_MORE;
}

function turns({ prompt }: Observation): Turn[] {
  const look: Turn = { say: 'I look for the old number.', calls: [ARCHIVE, IMPRINT, APP].map(read) };
  const decision = new RegExp(`\\(${IMPRINT}\\) is (allowed|not allowed)\\b.*`).exec(prompt);
  if (!decision) {
    const archive: Turn = { say: 'I correct the archive, then try the shell.', calls: [edit(ARCHIVE, OLD, NEW), shell(`rm ${ARCHIVE}`)] };
    return [look, archive, { say: 'The policy keeps the archive. I correct the imprint.', calls: [imprint()] }];
  }
  if (decision[1] === 'allowed') {
    const isFax = /fax/i.test(decision[0]);
    const say = isFax ? 'You allowed it. The page shows the old number as the fax, as your note says.' : 'You allowed it.';
    return [look, { say, calls: [imprint(), ...(isFax ? [above(`Fax: ${OLD}`)] : [])] }, summary('The imprint has the new number.'), done()];
  }
  return [look, { say: 'The imprint stays, so the page shows the new number above it.', calls: [above(`Call us: ${NEW}`)] }, summary('The page shows the new number. The imprint is unchanged.'), done()];
}

/** A line of the page above the imprint. */
const above = (line: string): Call => write(APP, source('App.tsx').replace('      <Imprint />', `      <p>${line}</p>\n      <Imprint />`));
/** The same call each time: the user's answer is about this one. */
const imprint = (): Call => edit(IMPRINT, OLD_LINE, NEW_LINE);
const summary = (text: string): Turn => ({ say: 'I write the summary.', calls: [write(SUMMARY, text)] });
