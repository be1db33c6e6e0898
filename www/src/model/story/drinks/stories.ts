/** Tasks for the shop: one is done wrong at first, one is only claimed, one stalls and recovers, one stalls for good. */
import { asRead, done, edit, failed, FAILED_CHECK, FEEDBACK, has, lacks, read, shell, SUMMARY, write, type Story, type Turn } from '../story';
import { addedFlavors, convertedFlavors, CTA, FEATURES, file, FLAVORS, HERO, plans, shop, TOGGLE } from './shop';

/** The turn that writes the summary. */
const summary = (say: string, text: string): Turn => ({ say, calls: [write(SUMMARY, text)] });

const LOOK: Turn = { say: 'I read the task, the plan and the affected files.', calls: [FLAVORS, TOGGLE, HERO, CTA].map(read) };
const COPY = ['TASK-{{task}} [MODIFY]: Refine the ad copy: less generic, more adult, less Monster Energy'];

/** The agent converts four of the eight drinks and forgets the copy. */
export const converted: Story = {
  ...shop,
  id: 'converted',
  title: 'Two more drinks, done wrong',
  point: 'Watch it catch four drinks that were replaced',
  length: '20 seconds',
  watch: [
    { text: 'The task asks for 2 more drinks, next to the 8 of the shop.' },
    { text: 'The agent replaces four of the 8 instead, forgets the copy, and claims to be done. The check lists the four by name.', caught: FAILED_CHECK },
    { text: 'It restores the four and adds two: 10 drinks.' },
  ],
  parts: [
    {
      work: { kind: 'task', message: 'Refine ad copy! Less generic, more adult, less Monster Energy. Two moods not working. Add 2 more drinks for nighttime.' },
      playable: [lacks(FLAVORS, 'Moonlit Calm')],
      scenes: [
        {
          phase: 'plan',
          turns: [
            LOOK,
            ...plans('The plan lists the changes: two new drinks, a new copy and a toggle that works.', {
              theme: ['TASK-{{task}} [FIX]: Two moods not working: the mood toggle switches nothing'],
              hero: COPY,
              features: ['TASK-{{task}} [ADD]: 2 new nighttime drinks', 'EXISTING 8 flavors PRESERVED: do not remove or convert'],
              cta: COPY,
              cols: 5,
            }),
          ],
        },
        // The first turn is the same in all of them, so what it reads chooses the others.
        { when: [has(asRead(FLAVORS), 'Moonlit Calm')], turns: [LOOK, done('Everything is done.')] },
        {
          when: [has(asRead(FLAVORS), 'Midnight Mint'), failed('scope')],
          turns: [
            LOOK,
            { say: 'The check expected 10 drinks and found 8, because I converted four of them. I restore all eight and add two new ones.', calls: [write(FLAVORS, addedFlavors)] },
            { say: 'It also found no change of the copy, which I forgot.', calls: [write(HERO, file('HeroSection.tsx')), write(CTA, file('CtaSection.tsx'))] },
            summary('I update the summary.', '# VIBRANT ENERGY for the night\n\nThe shop has 10 drinks: two for the night were added to the existing 8. The copy of the hero and the call to action is refined, and the mood toggle works.\n'),
            done(),
          ],
        },
        { when: [has(asRead(FLAVORS), 'Midnight Mint')], turns: [LOOK, done()] },
        {
          turns: [
            LOOK,
            { say: 'The toggle writes to the wrong element. I fix that first.', calls: [write(TOGGLE, file('MoodToggle.tsx'))] },
            { say: 'For more drinks at night, I convert four of them to night drinks.', calls: [write(FLAVORS, convertedFlavors)] },
            summary('I write the summary.', '# VIBRANT ENERGY for the night\n\nFixed the mood toggle and converted four drinks to night drinks.\n'),
            done(),
          ],
        },
      ],
    },
  ],
};

/** The broken address of the button, and the working one. */
const BROKEN = 'mailto:orders@example.com';
const FIXED = 'mailto:orders@vibrant.example?subject=My%20order';
const COMMENT = '// The link of the button is fixed.';
const FIRST_LINE = 'export function CtaSection() {';
const LOOK_AT_LINK: Turn = { say: 'I read the section with the link.', calls: [read(CTA)] };

/** The agent claims to be done without a change, then with a comment. */
export const claimed: Story = {
  ...shop,
  id: 'claimed',
  title: 'A claim without work',
  point: 'Watch it catch a false claim',
  length: '15 seconds',
  watch: [
    { text: 'The agent says that the link is fixed. No file has changed, so the claim is refused.', caught: FAILED_CHECK },
    { text: 'It adds a comment and claims again. A comment does not count, either.' },
    { text: 'It fixes the link, and the claim is accepted.' },
  ],
  parts: [
    {
      work: { kind: 'task', message: 'Fix the broken link in the CTA.' },
      playable: [has(CTA, BROKEN)],
      scenes: [
        { when: [has(asRead(CTA), FIXED)], turns: [LOOK_AT_LINK, done('The link is fixed.')] },
        {
          when: [has(asRead(CTA), COMMENT), failed('work-done')],
          turns: [
            LOOK_AT_LINK,
            { say: 'A comment is no work, either. I take it out.', calls: [edit(CTA, `${COMMENT}\n`, '')] },
            { say: 'The button has a wrong address, so I replace it.', calls: [edit(CTA, BROKEN, FIXED)] },
            summary('Now the summary is true.', '# The link in the CTA\n\nThe button opens a mail to the address of the shop, with a subject.\n'),
            done(),
          ],
        },
        {
          when: [failed('work-done')],
          turns: [LOOK_AT_LINK, { say: 'No file has changed, so I note the fix in the section.', calls: [edit(CTA, FIRST_LINE, `${COMMENT}\n${FIRST_LINE}`)] }, done('The link is fixed.')],
        },
        {
          turns: [LOOK_AT_LINK, summary('The link looks fine to me, so I only write the summary.', '# The link in the CTA\n\nFixed the broken link of the button.\n'), done('The link is fixed.')],
        },
      ],
    },
  ],
};

/** The agent repeats an edit that cannot work until it gets guidance. It guesses the old text, and attempts share no memory. */
export const freed: Story = {
  ...shop,
  id: 'freed',
  title: 'A stall that recovers',
  point: 'Watch it notice an agent that goes in circles',
  length: '20 seconds',
  watch: [
    { text: 'The agent edits a line that is not in the file, three times.' },
    { text: 'loopgate notices the stall, saves a backup and says what is missing.', caught: { type: 'stall-detected' } },
    { text: 'The agent reads the file, writes it again, and is done.' },
  ],
  parts: [
    {
      work: { kind: 'task', message: 'Refine the ad copy in the hero: less generic, more adult.' },
      playable: [lacks(HERO, 'Awake when it matters')],
      scenes: [
        { phase: 'plan', turns: plans('According to the plan, only the hero changes.', { hero: ['TASK-{{task}} [MODIFY]: Refine the ad copy: less generic, more adult'] }) },
        { when: [has(SUMMARY, 'Copy for adults')], turns: [done('Everything is done.')] },
        {
          when: [has(FEEDBACK, 'Stall Recovery')],
          turns: [
            { say: 'I made no progress. I read the section and write it again completely.', calls: [read(HERO)] },
            { say: 'The headline is not the one that I expected. I write the complete section.', calls: [write(HERO, file('HeroSection.tsx'))] },
            summary('I write the summary.', '# Copy for adults\n\nRewrote the copy of the hero: less generic, more adult. Its structure did not change.\n'),
            done(),
          ],
        },
        {
          turns: [
            { say: 'I know that headline, so I only replace the line.', calls: [edit(HERO, '<h1>Unleash the Beast!</h1>', '<h1>Awake when it matters</h1>')] },
            { say: 'The line was not found. I try again in the next attempt.' },
          ],
        },
      ],
    },
  ],
};

const LOOK_AT_LIST: Turn = { say: 'I read the list of flavors.', calls: [read(FEATURES)] };

/** The agent keeps installing a package that is not available and ignores all guidance. */
export const rolledBack: Story = {
  ...shop,
  id: 'rolled-back',
  title: 'A stall that is undone',
  point: 'Watch it undo a task that got stuck',
  length: '30 seconds',
  watch: [
    { text: 'The agent uses a package that is not available, and the build fails.' },
    { text: 'It installs the package again and again. After the first stall, it gets guidance and ignores it.' },
    { text: 'After the second stall, the task ends and every file is as before.', caught: { type: 'stall-detected', has: 'stall 2' } },
  ],
  parts: [
    {
      work: { kind: 'task', message: 'Change the list of flavors into a carousel.' },
      scenes: [
        {
          phase: 'plan',
          turns: plans('The flavors become a carousel; nothing else changes.', { features: ['TASK-{{task}} [MODIFY]: The list of flavors becomes a carousel', 'EXISTING 8 flavors PRESERVED'] }),
        },
        {
          when: [has(asRead(FEATURES), 'swiper')],
          turns: [LOOK_AT_LIST, { say: 'The package is missing, so I install it.', calls: [shell('npm install swiper')] }, { say: 'The installation failed. I try again in the next attempt.' }],
        },
        {
          turns: [
            LOOK_AT_LIST,
            { say: 'There is a package for carousels, so I use it.', calls: [write(FEATURES, file('Carousel.tsx'))] },
            summary('I write the summary.', '# A carousel\n\nThe flavors are slides of a carousel from the package swiper.\n'),
            done(),
          ],
        },
      ],
    },
  ],
};
