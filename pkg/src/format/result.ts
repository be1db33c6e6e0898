/** How a run ends, in words. Pure. */
import type { Fault } from '../types/event.js';
import type { EventLine } from '../types/format.js';
import type { Requirement } from '../types/gate.js';
import type { RunResult } from '../types/run.js';
import { finding } from './names.js';
import { after, because, capital, count, dollars, named, oneLine, wordsFor, type Maybe, type Partly } from './words.js';

type Result = Partly<RunResult>;

export const line = (kind: EventLine['kind'], text: string): EventLine => ({ kind, text });

export function resultLine(result: Result): EventLine {
  const message = oneLine(result.message, 240);
  const asked = named(result.clarification);
  switch (result.reason) {
    case 'done':
      return line('good', done(result, message));
    case 'nothing-to-do':
      return line(result.success ? 'good' : 'bad', message || 'Nothing to do');
    case 'needs-clarification':
      return line('question', `Asks you${after(': ', asked) || because(message)}`);
    case 'waiting':
      return line('question', result.questions?.length ? 'Waits for your answer' : `Waits for you${because(message.replace(/^The agent waits for you: /, ''))}`);
    case 'aborted':
      return line('progress', stopped(message.replace(/^Aborted: /, '')));
    case 'gates-failed':
      return line('bad', `Failed${because(failing(result) || message)}`);
    case 'max-iterations':
      return line('bad', `Failed after the agent started ${count(result.iterations, 'time')}${because(failing(result) || message.replace(/^Stopped after .*?: /, ''))}`);
    case 'stalled':
      return line('bad', `Failed: the agent made no progress${/rolled back to/.test(message) ? '. The project is as it was before the task' : after('. ', capital(failing(result)))}`);
    case 'budget':
      return line('bad', `Stopped: ${message || 'the budget is spent'}`);
    case 'blocked':
      return /not approved/.test(message) ? line('progress', `Stopped${because(message)}`) : line('bad', `Stopped: it cannot go on${after('. ', message)}`);
    case 'plan-not-converging':
      return line('bad', `Failed: no plan was right${after('. ', message)}`);
    default:
      return line(result.success ? 'good' : 'bad', `${result.success ? 'Done' : 'Failed'}${because(message)}`);
  }
}

/** It says what is checked, and what to look at. */
function done({ requirements, gates, cost }: Result, message: string): string {
  const price = cost?.spent ? `, ${dollars(cost.spent, cost.estimated ?? false)}` : '';
  if (!gates?.length) return `${message || 'Done'}${price}`;
  const judged = gates.filter((report) => !report.notApplicable);
  const warned = judged.filter(({ verdict }) => verdict === 'warn');
  const checks = `${count(judged.length - warned.length, 'check')} passed${price}${after('. Warning: ', warned.map(finding).join('; '))}`;
  if (!requirements?.length) return `Done: ${checks}`;
  const isSettled = requirements.every(({ verdict }) => verdict === 'checked' || verdict === 'reviewed');
  return isSettled ? `Done: ${verdictsOf(requirements)}, ${checks}` : `Look at the result: ${verdictsOf(requirements)}. ${checks}`;
}

/** `1 of 3 checked, 1 mentioned, 1 open` */
export function verdictsOf(requirements: ReadonlyArray<Partly<Requirement>>): string {
  const of = (wanted: Requirement['verdict']) => requirements.filter(({ verdict }) => verdict === wanted).length;
  const others = (['reviewed', 'mentioned', 'open', 'missing'] as const).map((verdict) => (of(verdict) ? `, ${of(verdict)} ${verdict}` : ''));
  return `${of('checked')} of ${requirements.length} checked${others.join('')}`;
}

function stopped(reason: string): string {
  if (/^stopped\b/i.test(reason)) return capital(reason);
  return reason === 'aborted by the caller' ? 'Stopped' : `Stopped${after(': ', reason)}`;
}

/** What the checks found in the last round. */
const failing = ({ gates }: Result): string => (gates ?? []).filter(({ verdict }) => verdict === 'fail').map(finding).join('; ');

const FAULTS: Record<string, string> = {
  model: 'the model failed', fs: 'a file could not be read or written', git: 'git failed', shell: 'a command could not run', locked: 'another tab works on the project', denied: 'it is not allowed',
  corrupt: 'the history of the run is damaged', conflict: 'the changes of you and the agent are in conflict', internal: 'loopgate has a defect', 'invalid-config': 'the configuration is not valid',
};
const KINDS: Record<string, string> = { 'rate-limited': 'the model is busy', unavailable: 'the model cannot be reached', timeout: 'the model does not answer' };

/** What went wrong, such as `The model cannot be reached: offline`. */
export function faultOf(fault: Partly<Fault>, hint = ''): string {
  const { code, kind, message } = fault;
  const what = (code === 'model' ? wordsFor(KINDS, kind) : undefined) ?? wordsFor(FAULTS, code);
  return what ? `${capital(what)}${hint}${because(message?.replace(/^the model failed: /, ''))}` : oneLine(message) || 'An error without a message';
}

export function failedLine(error: Maybe<Partly<Fault>>): EventLine {
  return line('bad', faultOf(error ?? {}, error?.retryable ? ', resume the run to try again' : ''));
}
