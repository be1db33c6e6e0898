/**
 * A question to the user: the phone number is wrong in the imprint and in the archive. The policy denies the archive, for the tool and the
 * shell, and asks about the imprint. The answer is in the prompt of the next iteration, and the agent follows its note.
 */
import { template } from '../../../project/template';
import { done, edit, has, lacks, read, shell, SUMMARY, textsOf, write, type Call, type Scene, type Story, type Turn } from '../story';

const file = textsOf(import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true }), 'files');

const APP = 'src/App.tsx';
const ARCHIVE = 'archive/2019.md';
const IMPRINT = 'src/legal/Imprint.tsx';
const [OLD, NEW] = ['030 1111', '030 1234'];

const LOOK: Turn = { say: 'I look for the old number.', calls: [ARCHIVE, IMPRINT, APP].map(read) };
/** The same call each time: the user's answer is about this one. */
const imprint: Call = edit(IMPRINT, `<p>Phone: ${OLD}</p>`, `<p>Phone: ${NEW}</p>`);
/** A line of the page above the imprint. */
const above = (line: string): Call => write(APP, file('App.tsx').replace('      <Imprint />', `      <p>${line}</p>\n      <Imprint />`));
const ending = (text: string): Turn[] => [{ say: 'I write the summary.', calls: [write(SUMMARY, text)] }, done()];

const DECIDED = `(${IMPRINT}) is `;
const allowed = (say: string, ...calls: Call[]): Scene['turns'] => [LOOK, { say, calls }, ...ending('The imprint has the new number.')];

export const asks: Story = {
  id: 'asks',
  title: 'A question to you',
  point: 'Watch it ask before a protected file changes',
  length: '20 seconds',
  watch: [
    { text: 'The policy of the project denies the archive, to the shell as well.', caught: { type: 'write-denied' } },
    { text: 'The run asks you before the imprint changes. It waits, also if you close the tab.' },
    { text: 'Allow the call with a note such as “keep the old number as fax”, and the agent follows it.' },
  ],
  files: [
    ...template.filter(([path]) => path !== APP),
    [APP, file('App.tsx')],
    [IMPRINT, file('Imprint.tsx')],
    [ARCHIVE, file('archive.md')],
    ['.handoff/config.yaml', file('config.yaml')],
  ],
  parts: [
    {
      work: { kind: 'task', message: `Fix the phone number: it is ${NEW}, not ${OLD}.` },
      playable: [has(IMPRINT, OLD), lacks(APP, NEW)],
      scenes: [
        { when: [has('prompt', `${DECIDED}not allowed`)], turns: [LOOK, { say: 'The imprint stays, so the page shows the new number above it.', calls: [above(`Call us: ${NEW}`)] }, ...ending('The page shows the new number. The imprint is unchanged.')] },
        { when: [has('prompt', `${DECIDED}allowed`), has('prompt', 'as fax')], turns: allowed('You allowed it. The page shows the old number as the fax, as your note says.', imprint, above(`Fax: ${OLD}`)) },
        { when: [has('prompt', `${DECIDED}allowed`)], turns: allowed('You allowed it.', imprint) },
        {
          turns: [
            LOOK,
            { say: 'I correct the archive, then try the shell.', calls: [edit(ARCHIVE, OLD, NEW), shell(`rm ${ARCHIVE}`)] },
            { say: 'The policy keeps the archive. I correct the imprint.', calls: [imprint] },
          ],
        },
      ],
    },
  ],
};
