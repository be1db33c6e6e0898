import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatEvent } from 'loopgate';

/** What the core sends: each type of event, with every field. */
const SENT = [...readFileSync(new URL('../../tests/types/sent.ts', import.meta.url), 'utf8').matchAll(/^ {2}(\{.*\}) satisfies RunEvent,$/gm)].map(([, json]) => JSON.parse(json));
const KINDS = ['progress', 'good', 'bad', 'question', 'detail'];

/** The lines of the events in `sent.ts`, by type. */
const LINES = {
  'run-started': ['progress: Started: Add a hero. N', 'progress: Started: specs/0001-foo.md', 'progress: Started: the steps of Shop'],
  'limits-changed': [null],
  'run-resumed': ['progress: Resumed where it was interrupted'],
  'config-loaded': [null],
  'task-started': [null],
  'phase-changed': ['progress: Building: the plan is valid'],
  'iteration-started': ['progress: Attempt 1: the agent starts'],
  'text-delta': [null],
  'reasoning-delta': [null],
  'tool-delta': [null],
  'model-answered': ['detail: Says: t'],
  'question-asked': ['question: Asks you: t'],
  'question-answered': ['progress: Allowed: n', 'progress: Denied: r'],
  'question-unanswered': [null],
  'tool-call': ['detail: Reading a'],
  'tool-result': [null],
  'write-started': [null],
  'file-changed': ['progress: Moved b to a'],
  'user-changed': ['detail: You changed a'],
  'changes-unclear': [null],
  'unguarded-started': [null],
  'unguarded-ended': [null],
  'user-edits': [null],
  'harness-files-changed': [null],
  'write-denied': ['bad: Undone: a command or a tool changed /etc (outside)'],
  'plan-checked': ['bad: Plan refused: Line 3: “mood” is "minimall", which is not a known mood or preset. Did you mean “minimal”? (1 more error)'],
  'theme-started': [null],
  'plan-context': ['bad: The theme is not applied: no shell. 1 of 1 section with an example'],
  'completion-refused': ['bad: Refused: the agent reports that the work is done, but there is no plan'],
  'gate-checked': [null],
  'gates-finished': ['detail: 1 of 5 checked, 1 reviewed, 1 mentioned, 1 open, 1 missing'],
  'fixes-applied': ['detail: loopgate fixed what a check found: g'],
  'snapshot-saved': ['detail: Saved the project before task 1: 2 files, 1 changed'],
  'evidence-outdated': ['progress: Files changed after the checks ran, so they run again'],
  'snapshot-skipped': ['bad: Not saved: the project has no git'],
  'stall-detected': ['bad: No progress on the section hero (ADD), stall 1: the agent gets advice'],
  'snapshot-restored': ['good: Restored the project: 1 file restored, 1 removed'],
  'budget-warning': ['bad: 80 % of the budget of 10 tokens is spent'],
  'wait-started': ['progress: Waiting 8 ms before try 2 of 6'],
  'spending-read': [null],
  usage: [null],
  'context-shortened': ['detail: The conversation was shortened from about 90 to 40 tokens'],
  'provider-data': [null],
  steered: ['progress: Your message reached the agent: m'],
  'config-warning': ['detail: Configuration: m'],
  status: ['detail: t'],
  'iteration-finished': ['bad: The model is busy: offline'],
  waited: [null],
  'abort-requested': [null],
  'run-finished': ['question: Asks you: Which ones?'],
  'run-failed': ['bad: The model is busy, resume the run to try again: offline'],
  'spec-started': ['progress: Starting specs/0001-foo.md: the work is verified first'],
  'plan-prepared': [null],
  'plan-accepted': ['good: Plan 1 is written'],
  'attempt-failed': ['bad: The attempt of the planner failed'],
  'candidate-recorded': ['good: The work is saved for its verification'],
  'candidate-outdated': ['progress: Files changed during the verification, so it runs again'],
  'verdict-given': ['bad: The plan is wrong: r'],
  'verdict-unreadable': ['bad: The verifier gave no clear verdict and is asked again'],
  'plan-invalidated': ['bad: Plan 1 is set aside, and a new one is written: r'],
  'log-written': [null],
  'spec-finished': ['good: specs/0001-foo.md is done and committed to spec/0001-foo'],
  'chunks-proposed': ['good: 1 step proposed'],
  'proposal-rejected': ['bad: The proposed steps are not usable, so the planner is asked again'],
  'chunks-approved': ['good: 1 step approved'],
  'state-read': [null],
  'run-prepared': ['detail: Works on the branch spec/shop: 1 step done so far'],
  'chunk-started': ['progress: Step a starts'],
  'attempt-started': ['progress: Attempt 1 at this step starts'],
  'attempt-recorded': ['progress: Changed 1 file: b'],
  'attempt-rejected': ['bad: The attempt is rejected'],
  'attempt-reverted': ['bad: Attempt 1 is undone: 1 file restored, 1 removed. 1 file stays as you left it'],
  'chunk-committed': ['good: Step a is done: 1 file committed'],
  'summary-written': [null],
  'chunk-failed': ['bad: Step a failed: r. 1 step must wait for it'],
  'pull-request-drafted': ['good: The pull request is drafted in .handoff/specs/shop/pull-request.md'],
  'verification-checked': ['bad: Types took too long (5 ms)'],
  'verification-finished': ['bad: The verification failed'],
  'verification-inconclusive': ['bad: The verification could not run: r'],
  'review-given': ['bad: Quick review: changes requested, 1 issue'],
  'review-unreadable': ['bad: Final review: no clear verdict, so the reviewer is asked again'],
  'branch-prepared': ['detail: Works on the branch spec/0001-foo, which started from main'],
  'branch-moved': ['detail: The branch has another commit, so the run goes on from it'],
};

const lineOf = (type, fields = {}) => formatEvent({ v: 1, seq: 1, at: 1, runId: 'r', lease: 1, type, ...fields });
const shown = (type, fields) => {
  const line = lineOf(type, fields);
  return line && `${line.kind}: ${line.text}`;
};
/** Each case is `[type, fields, line]`. */
const all = (cases) => {
  for (const [type, fields, expected] of cases) assert.equal(shown(type, fields), expected);
};

test('each event that the core sends has a line, or is left out on purpose', () => {
  assert.ok(SENT.length > 80);
  const found = {};
  for (const event of SENT) (found[event.type] ??= []).push(shown(event.type, event));
  assert.deepEqual(found, LINES);
});

/** One line of words: no code, no harness's names, numbers that fit their nouns. */
function checkWords(line, where) {
  if (line === null) return;
  assert.deepEqual(Object.keys(line).sort(), ['kind', 'text'], where);
  assert.ok(KINDS.includes(line.kind), where);
  const { text } = line;
  assert.match(text, /^\S(?:.*\S)?$/, `${where}: one line without spaces at its ends: ${JSON.stringify(text)}`);
  for (const wrong of [/ {2}/, /[^.]\.$/, /`/, /\b1 (?:file|step|action|issue|check|requirement|warning|attempt|error)s\b/, /\b(?:0|[2-9]|\d\d+) (?:file|step|action|issue|check|requirement|warning|attempt|error)\b/, /: ?:|\(\)|\? ?\./, /undefined|null|NaN|\[object/]) assert.doesNotMatch(text, wrong, where);
  assert.doesNotMatch(text.replace(/\S*\/\S*/g, ''), /\b(?:gates?|chunks?|gumdrops?|harness|iteration|candidate|snapshot|mutation|recipe)\b/i, where);
}

/** Copies of a value, each without one of its fields or with another value in its place, at any depth. */
function* variants(value, others) {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const copy = Array.isArray(value) ? [...value] : { ...value };
    for (const other of Array.isArray(value) ? [] : others) {
      copy[key] = other;
      if (other === undefined) delete copy[key];
      yield structuredClone(copy);
    }
    for (const inner of variants(value[key], others)) {
      copy[key] = inner;
      yield structuredClone(copy);
    }
  }
}

test('the words of every line are plain', () => {
  for (const event of SENT) checkWords(formatEvent(event), event.type);
});

test('an event of an older journal, without a field, keeps a line', () => {
  const hidden = { 'model-answered': ['text'], 'user-changed': ['files'], 'gate-checked': ['report'], 'gates-finished': ['requirements'], status: ['text'] };
  for (const event of SENT.filter(({ type }) => LINES[type].some(Boolean))) {
    checkWords(lineOf(event.type), event.type);
    for (const less of variants(event, [undefined, null])) {
      if (less.type !== event.type) continue;
      const where = JSON.stringify(less);
      const line = formatEvent(less);
      checkWords(line, where);
      const mayHide = formatEvent(event) === null || hidden[event.type]?.some((field) => !less[field]) || (event.type === 'verification-finished' && !less.feedback) || (event.type === 'question-answered' && !less.answer?.note);
      assert.ok(line !== null || mayHide, where);
    }
  }
});

test('an event of an unknown type, and anything else, has no line', () => {
  for (const event of [{ type: 'invented-later', text: 'x' }, { type: 'constructor' }, {}, null, undefined, 7]) assert.equal(formatEvent(event), null);
});

test('fields of other types never throw', () => {
  for (const event of SENT) for (const odd of variants(event, [7, 'constructor', [], {}, true])) assert.doesNotThrow(() => formatEvent(odd), JSON.stringify(odd));
});

test('the end of the plan phase says what happens to the theme', () => {
  const context = (theme) => ({ theme: { command: 'theme', output: '', ...theme }, sections: [{ found: true }, { found: false }] });
  all([
    ['plan-context', context({ applied: true }), 'good: Theme applied, 1 of 2 sections with an example'],
    ['plan-context', context({ applied: false }), 'detail: The styles stay as they are, 1 of 2 sections with an example'],
    ['plan-context', context({ applied: false, error: 'no shell' }), 'bad: The theme is not applied: no shell. 1 of 2 sections with an example'],
  ]);
});

test('checks are named by what they found', () => {
  const report = (gate, verdict, more) => ({ report: { gate, verdict, durationMs: 1, feedback: 'f', ...more } });
  all([
    ['gate-checked', report('build-succeeds', 'pass'), 'good: Check passed: the project builds'],
    ['gate-checked', report('build-succeeds', 'fail'), 'bad: Check failed: the project does not build'],
    ['gate-checked', report('scope', 'warn'), 'bad: Check warns: the change does not match the request'],
    ['gate-checked', report('runtime-errors', 'error'), 'bad: Check could not run: the page runs without errors'],
    ['gate-checked', report('verification: Types', 'fail'), 'bad: Check failed: Types'],
    ['gate-checked', report('my-own', 'pass'), 'good: Check passed: my-own'],
    ['gate-checked', report('scope', 'pass', { notApplicable: true }), null],
  ]);
});

test('each check of the package has words of its own', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, table] = /\| gate \| fails or warns if \|\n(.*?)\n\n/s.exec(readme);
  const gates = table.split('\n').slice(1).flatMap((row) => [...row.split('|')[1].matchAll(/`([\w-]+)`/g)].map(([, gate]) => gate));
  assert.ok(gates.length > 15);
  const texts = gates.flatMap((gate) => ['pass', 'fail'].map((verdict) => lineOf('gate-checked', { report: { gate, verdict } }).text));
  assert.equal(new Set(texts).size, texts.length);
  for (const gate of gates) assert.ok(!texts.some((text) => text.endsWith(`: ${gate}`)), gate);
});

test('calls of tools are verbs', () => {
  for (const [name, args, expected] of [
    ['read_file', { path: 'src/a.ts' }, 'Reading src/a.ts'],
    ['write_file', { path: 'src/a.ts', content: 'x' }, 'Writing src/a.ts'],
    ['move_file', { from: 'a', to: 'b' }, 'Moving a to b'],
    ['list_files', {}, 'Listing the files in the project'],
    ['search', { query: 'hero' }, 'Searching for “hero”'],
    ['shell', { command: 'npm\n  test' }, 'Running npm test'],
    ['plan', { action: 'show' }, 'Looking at the plan'],
    ['snapshot', { action: 'save' }, 'Saving a version'],
    ['snapshot', { action: 'toString' }, 'Looking at the versions'],
    ['complete_task', {}, 'Reporting that the work is done'],
    ['deploy', { path: 'dist' }, 'Using deploy with dist'],
    ['constructor', 'no object', 'Using constructor'],
  ]) assert.equal(shown('tool-call', { name, args }), `detail: ${expected}`);
  assert.equal(shown('tool-result', { ok: false, output: 'Error: no such file: a.ts\nmore' }), 'detail: That did not work: no such file: a.ts');
});

test('files, the user and rules', () => {
  const file = (change, by, more) => ({ path: 'src/App.tsx', change, by, ...more });
  const user = (...paths) => ({ files: paths.map((path) => ({ path, change: 'modified' })) });
  all([
    ['file-changed', file('created', 'agent'), 'progress: Wrote src/App.tsx'],
    ['file-changed', file('modified', 'agent'), 'progress: Changed src/App.tsx'],
    ['file-changed', file('deleted', 'agent'), 'progress: Deleted src/App.tsx'],
    ['file-changed', file('created', 'agent', { from: 'src/Old.tsx' }), 'progress: Moved src/Old.tsx to src/App.tsx'],
    ['file-changed', { path: '.ralph/summary.md', change: 'modified', by: 'agent' }, 'detail: Changed .ralph/summary.md'],
    ['file-changed', file('modified', 'harness'), 'detail: loopgate changed src/App.tsx'],
    ['user-changed', user('a'), 'detail: You changed a'],
    ['user-changed', { files: [{ path: 'a', change: 'deleted' }] }, 'detail: You deleted a'],
    ['user-changed', user('a', 'b', 'c'), 'detail: You changed 3 files: a, b, c'],
    ['user-changed', user('a', 'b', 'c', 'd', 'e'), 'detail: You changed 5 files: a, b, c and 2 more'],
    ['user-changed', user(), null],
    ['write-denied', { path: '.ralph/plan.tsx', rule: 'plan-phase' }, 'bad: Not allowed: .ralph/plan.tsx (the plan comes first)'],
    ['write-denied', { path: 'secrets/a', rule: 'policy[0]' }, 'bad: Not allowed: secrets/a (a rule of your configuration)'],
    ['write-denied', { path: '.git/config', rule: 'git', undone: 'modified' }, 'bad: Undone: a command or a tool changed .git/config (it belongs to git)'],
  ]);
});

test('versions say where they are in the history', () => {
  const saved = (tag) => ({ snapshot: { tag, files: 18, changed: 11 } });
  all([
    ['snapshot-saved', saved('task-3-pre'), 'detail: Saved the project before task 3: 18 files, 11 changed'],
    ['snapshot-saved', saved('task-3-post'), 'good: Saved the project after task 3: 18 files, 11 changed'],
    ['snapshot-saved', saved('refs/loopgate/iterations/mwtf-cc/4'), 'detail: Backup 4: 18 files, 11 changed'],
    ['snapshot-saved', saved('chunks/shop/cart/base'), 'detail: Saved the project before the work on shop, step cart: 18 files, 11 changed'],
    ['snapshot-saved', saved('chunks/shop/final-review/base'), 'detail: Saved the project before the work on shop, final review: 18 files, 11 changed'],
    ['snapshot-saved', saved('spec/0001-foo/done'), 'good: Saved the project after the work on 0001-foo: 18 files, 11 changed'],
    ['snapshot-saved', saved('manual-1'), 'detail: Saved the project: 18 files, 11 changed'],
    ['snapshot-saved', saved('stall-3-recovery'), 'detail: Saved the project when task 3 got stuck: 18 files, 11 changed'],
    ['snapshot-saved', saved('stall-3-recovery-2'), 'detail: Saved the project when task 3 got stuck: 18 files, 11 changed'],
    ['snapshot-saved', saved('chunks/shop/pre-2'), 'detail: Saved the project before the work on shop: 18 files, 11 changed'],
    ['snapshot-restored', { tag: 'task-3-pre', restored: 5, deleted: 1 }, 'good: Restored the project as it was before task 3: 5 files restored, 1 removed'],
  ]);
});

test('budgets, times and sizes are for people', () => {
  const warning = (limit, used, max) => ({ limit, used, max });
  const ended = (durationMs) => ({ result: { step: 'Types', outcome: 'passed', required: true, durationMs } });
  all([
    ['budget-warning', warning('maxCostUsd', 1.6, 2), 'bad: 80 % of the budget of $2 is spent'],
    ['budget-warning', warning('perDay', 0.05, 0.06), 'bad: 83 % of the budget of $0.06 for today is spent'],
    ['budget-warning', warning('perTask', 0.8, 1), 'bad: 80 % of the budget of $1 for this task is spent'],
    ['budget-warning', warning('maxTokens', 1_240_000, 1_500_000), 'bad: 82 % of the budget of 1.5M tokens is spent'],
    ['budget-warning', warning('maxWallMs', 480_000, 600_000), 'bad: 80 % of the time limit of 10 min is used up'],
    ['budget-warning', warning('maxIterations', 16, 20), "bad: 80 % of the agent's 20 starts are used up"],
    ['context-shortened', { before: 93_400, after: 4_120 }, 'detail: The conversation was shortened from about 93k to 4.1k tokens'],
    ['verification-checked', ended(420), 'good: Types passed (420 ms)'],
    ['verification-checked', ended(1234), 'good: Types passed (1.2 s)'],
    ['verification-checked', ended(59_900), 'good: Types passed (1 min)'],
    ['verification-checked', ended(125_000), 'good: Types passed (2 min 5 s)'],
    ['verification-checked', ended(5_400_000), 'good: Types passed (1 h 30 min)'],
    ['verification-checked', { result: { step: 'Lint', outcome: 'failed', required: false, durationMs: 0 } }, 'detail: Lint failed'],
  ]);
});

test('questions are asked in plain words', () => {
  const tool = (name, args, reason) => ({ question: { id: '1', kind: 'tool', text: 'May the agent make the call `x` (y)?', details: { name, args, why: { rule: 'policy[0]', reason } } } });
  all([
    ['question-asked', tool('shell', { command: 'git push' }), 'question: Asks you: May the agent run git push?'],
    ['question-asked', tool('edit_file', { path: 'src/Imprint.tsx' }, 'lawyers wrote the imprint'), 'question: Asks you: May the agent edit src/Imprint.tsx? Lawyers wrote the imprint'],
    ['question-asked', { question: { kind: 'chunks', text: 'May these 2 steps of shop run?', details: [{}, {}] } }, 'question: Asks you: May these 2 steps of shop run?'],
    ['question-asked', { question: { kind: 'plan', text: 'May the agent build the plan “A shop” in .ralph/plan.tsx?', details: {} } }, 'question: Asks you: May the agent build the plan “A shop” in .ralph/plan.tsx?'],
    ['question-answered', { id: 'chunks-1', answer: { decision: 'allow' } }, null],
    ['question-answered', { id: 'pull-request-2', answer: { decision: 'allow' } }, null],
    ['question-answered', { id: 'plan-1', answer: { decision: 'allow' } }, 'progress: The plan is approved'],
    ['chunk-started', { chunk: 'final-review' }, 'progress: The final review starts'],
    ['chunk-failed', { chunk: 'pay', reason: '[high] src/pay.ts:9: booked twice…', blocked: [['receipt', 'pay']] }, 'bad: Step pay failed: src/pay.ts:9: booked twice… 1 step must wait for it'],
    ['question-answered', { answer: { decision: 'revise', reason: 'use blue' } }, 'progress: Sent back: use blue'],
  ]);
});

test('a result says what is checked, what it cost and why it ended', () => {
  const gates = [{ gate: 'build-succeeds', verdict: 'pass' }, { gate: 'work-done', verdict: 'pass' }, { gate: 'app-exists', verdict: 'pass', notApplicable: true }];
  const need = (verdict) => ({ id: 'R1', marker: 'MODIFY', text: 'Make it dark', verdict, evidence: [] });
  const failed = [{ gate: 'build-succeeds', verdict: 'fail' }];
  const ends = (reason, result, expected) => ['run-finished', { result: { reason, success: reason === 'done', message: '', iterations: 4, ...result } }, expected];
  all([
    ends('done', { gates, requirements: [need('checked')], cost: { spent: 0.312, estimated: false } }, 'good: Done: 1 of 1 checked, 2 checks passed, $0.31'),
    ends('done', { gates: [...gates, { gate: 'scope', verdict: 'warn' }], cost: { spent: 0.0001, estimated: true } }, 'good: Done: 2 checks passed, less than $0.01. Warning: the change does not match the request'),
    ends('done', { gates, requirements: [need('checked'), need('reviewed')] }, 'good: Done: 1 of 2 checked, 1 reviewed, 2 checks passed'),
    ends('done', { gates, requirements: [need('checked'), need('mentioned'), need('open')], cost: { spent: 2, estimated: true } }, 'good: Look at the result: 1 of 3 checked, 1 mentioned, 1 open. 2 checks passed, about $2'),
    ends('done', { gates: [], message: 'Done: 2 of 4 steps of shop finished.' }, 'good: Done: 2 of 4 steps of shop finished'),
    ends('nothing-to-do', { success: true, message: 'No spec is left to do; 3 are done.' }, 'good: No spec is left to do; 3 are done'),
    ends('aborted', { message: 'Aborted: the tab was closed' }, 'progress: Stopped: the tab was closed'),
    ends('aborted', { message: 'Aborted: aborted by the caller' }, 'progress: Stopped'),
    ends('aborted', { message: 'Aborted: stopped by Ada' }, 'progress: Stopped by Ada'),
    ends('gates-failed', { gates: failed, message: 'The checks failed 5 times in a row; still failing: build-succeeds.' }, 'bad: Failed: the project does not build'),
    ends('max-iterations', { gates: [], message: 'Stopped after 4 iterations: the plan was never valid.' }, 'bad: Failed after the agent started 4 times: the plan was never valid'),
    ends('stalled', { message: 'Task 3 failed after 2 stall recoveries. The changes of the task are rolled back to task-3-pre.' }, 'bad: Failed: the agent made no progress. The project is as it was before the task'),
    ends('budget', { message: '80 % of the budget of $2 is spent, and the next call would pass it. Resume the run with a higher `maxCostUsd` to continue.' }, 'bad: Stopped: 80 % of the budget of $2 is spent, and the next call would pass it. Resume the run with a higher “maxCostUsd” to continue'),
    ends('blocked', { message: 'The proposed steps are not approved: too many' }, 'progress: Stopped: The proposed steps are not approved: too many'),
    ends('waiting', { message: 'Which colour?' }, 'question: Waits for you: Which colour?'),
    ends('needs-clarification', { clarification: ['Which drinks?'], message: 'm' }, 'question: Asks you: Which drinks?'),
    ['run-failed', { error: { code: 'model', kind: 'unavailable', message: 'TypeError: Failed to fetch', retryable: true } }, 'bad: The model cannot be reached, resume the run to try again: TypeError: Failed to fetch'],
    ['run-failed', { error: { code: 'fs', message: 'the disk is full.' } }, 'bad: A file could not be read or written: the disk is full'],
  ]);
});

test('texts of the core are shown as they are', () => {
  all([
    ['status', { text: 'Running the checks, round 2' }, 'detail: Running the checks, round 2'],
    ['wait-started', { at: 1_000, until: 5_000, reason: 'busy', attempt: 2, of: 6 }, 'progress: Waiting 4 s before try 2 of 6'],
    ['status', { text: 'The host says this.' }, 'detail: The host says this'],
    ['phase-changed', { to: 'build', why: 'a check did not pass' }, 'progress: Building: a check did not pass'],
    ['phase-changed', { to: 'review', why: '' }, 'progress: Reviewing'],
  ]);
});

test('long texts of models become one short line', () => {
  const long = lineOf('model-answered', { text: `\n\nI added the \`hero\`.\n${'word '.repeat(100_000)}` });
  assert.ok([...long.text].length < 140 && long.text.endsWith('…'), long.text);
  assert.match(long.text, /^Says: I added the “hero”\. word/);
  for (const text of [' \n', '{"decision":"SHIP"}', '```json\n[{}]\n```']) assert.equal(shown('model-answered', { text }), null);
  assert.doesNotMatch(lineOf('steered', { message: `${'a'.repeat(118)}😀😀` }).text, /\p{Cs}/u);
  assert.equal(shown('steered', { message: 'red\u001b[31m\u202etext' }), 'progress: Your message reached the agent: red [31m text');
  for (const text of ['می\u200cخواهم', '👩\u200d💻']) assert.equal(shown('steered', { message: text }), `progress: Your message reached the agent: ${text}`);
});

test('the lines need neither the wasm module nor another part of the package', () => {
  const seen = new Set();
  const visit = (url) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, from] of readFileSync(url, 'utf8').matchAll(/^(?:import|export)\b.*?'([^']+)';$/gm)) visit(new URL(from, url));
  };
  visit(new URL('../dist/format-event.js', import.meta.url));
  assert.deepEqual([...seen].map((href) => href.split('/dist/')[1]).sort(), ['format-event.js', 'format/calls.js', 'format/names.js', 'format/result.js', 'format/words.js']);
});
