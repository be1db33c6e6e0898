/** What the studio asks the chosen model. The script does not understand an idea, so its story brings the answers. */
import type { ModelRequest } from 'loopgate';
import { chosenModel, isScripted } from '../model/choice';
import { story } from '../model/story/stories';
import { messageOf } from '../snapshots/snapshots';
import { storyOutline, type Draft, type Outline, type StoryStudio, type StudioQuestion } from './draft';

/** The story can play this idea, and no other one. */
export const storyFor = (idea: string): StoryStudio | null => {
  const studio = story.value.studio ?? null;
  return studio?.idea === idea.trim() ? studio : null;
};

const MOST_QUESTIONS = 5;

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
const list = (items: object) => ({ type: 'array', items });

export async function askQuestions({ idea }: Draft, signal: AbortSignal): Promise<{ title: string; questions: StudioQuestion[] }> {
  if (isScripted.peek()) return storyFor(idea)!;
  const answer = await ask('questions', 'You help a user to specify a change of a software project. Ask what you need to know before you write the specification.'
    + ` Ask at most ${MOST_QUESTIONS} questions, each with 2 to 4 short answers to choose from. Ask nothing that the idea says. Give the change a title of 2 to 5 words.`, `The idea:\n${idea}`,
    object({ title: text, questions: list(object({ text, options: list(text) })) }), signal);
  const questions = listOf(answer.questions).flatMap(({ text, options }) => (typeof text === 'string' && text ? [{ text, options: texts(options) }] : []));
  return { title: typeof answer.title === 'string' ? answer.title : '', questions: questions.slice(0, MOST_QUESTIONS) };
}

export async function askOutline({ idea, questions, answers }: Draft, signal: AbortSignal): Promise<Outline> {
  if (isScripted.peek()) return storyOutline(storyFor(idea)!, answers);
  const said = (questions ?? []).map(({ text }, at) => `${at + 1}. ${text}\n   ${answers[at] || 'The user leaves it to you.'}`);
  const answer = await ask('specification', 'You write the specification of a change of a software project from a user\'s idea and answers. State the goal in 1 to 3 sentences,'
    + ' then requirements that can be checked, then what is out of scope. For each requirement, give the numbers of the answers that led to it.', `The idea:\n${idea}\n\nQuestions and answers:\n${said.join('\n') || 'None.'}`,
    object({ goal: text, requirements: list(object({ text, answers: list({ type: 'integer' }) })), outOfScope: list(text) }), signal);
  const requirements = listOf(answer.requirements).flatMap(({ text, answers }) => (typeof text === 'string' && text ? [{ text, answers: Array.isArray(answers) ? answers.filter((number) => Number.isInteger(number)) : [] }] : []));
  if (!requirements.length) throw unusable('has no requirements');
  return { goal: typeof answer.goal === 'string' ? answer.goal : idea, requirements, outOfScope: texts(answer.outOfScope) };
}

/** What is left of an idea without a model. */
export const plainOutline = (idea: string): Outline => ({ goal: idea.trim(), requirements: [{ text: 'What must be true in the end, so that it can be checked', answers: [] }], outOfScope: [] });

async function ask(name: string, system: string, user: string, schema: object, signal: AbortSignal): Promise<Record<string, unknown>> {
  const messages: ModelRequest['messages'] = [
    { role: 'system', content: `${system}\nAnswer with one JSON object of this schema and nothing else:\n${JSON.stringify(schema)}` },
    { role: 'user', content: user },
  ];
  const request: ModelRequest = { role: 'planner', messages, tools: [], responseFormat: { type: 'json_schema', name, schema } };
  const { responseFormat: _, ...plain } = request;
  let problem: string | null = null;
  const model = chosenModel(undefined, (text) => (problem = text));
  const context = { signal, onDelta: () => {} };
  const call = async (request: ModelRequest) => model(request, context);
  const { content } = await call(request)
    // Some servers know no formats.
    .catch((error) => (!signal.aborted && /response_format|json_schema/.test(String(error)) ? call(plain) : Promise.reject(error)))
    .catch((error) => Promise.reject(new Error(problem ?? messageOf(error))));
  try {
    return JSON.parse(/\{[^]*\}/.exec(content ?? '')?.[0] ?? '') as Record<string, unknown>;
  } catch {
    throw unusable('is not in the requested form');
  }
}

const unusable = (why: string): Error => new Error(`The answer of the model ${why}. Try again, or choose another model.`);

const listOf = (value: unknown): Array<Record<string, unknown>> => (Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []);

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string' && item !== '') : []);
