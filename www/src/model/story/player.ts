/**
 * Plays a story as a model. It is not an AI and does not understand the task. An answer depends only on its request, so a story
 * continues after any interruption.
 */
import { signal } from '@preact/signals';
import type { ChatMessage, ModelPort, ModelRequest, Usage } from 'loopgate';
import { scriptedModel, type ScriptedTurn } from 'loopgate/testing';
import { done, TASK, type Condition, type Part, type Text, type Turn } from './story';

const address = new URLSearchParams(globalThis.location?.search);
/** `?hang=1`: the next call hangs, to try the Stop button. `?hang=reviewer:words`: the next call of that role whose prompt has the words. */
let hangAt = address.get('hang');
export const hangNext = signal(hangAt === '1');

/** The delay before each turn and each delta, so that a person can follow. `?delay=0` in the address switches it off. */
const DELAY_MS = Number(address.get('delay') ?? 160) || 0;
/** More than the limits of a run allow. */
const MOST_TURNS = 1000;
/** The words of one delta. */
const PIECE = /(?:\S+\s*){1,5}/g;

/** The text of a place, see `Condition`. */
export type Look = (place: string) => string;

export const holds = (conditions: readonly Condition[] = [], look: Look): boolean =>
  conditions.every(({ in: place, has = '', lacks }) => look(place).includes(has) && (lacks === undefined || !look(place).includes(lacks)));

/** `tool` is the id of the tool in the configuration that the model is for. Only such a model reports what its answers cost. */
export function storyModel(parts: readonly Part[], { tool = '', delayMs = DELAY_MS } = {}): ModelPort {
  const turn: ScriptedTurn = (request) => {
    if (mustHang(request)) return { hang: true };
    const { say, calls } = answer(parts, request, tool);
    const scripted = { stream: say.match(PIECE) ?? [], toolCalls: calls };
    return tool ? { ...scripted, model: tool, usage: usageOf(JSON.stringify(request.messages), JSON.stringify(scripted)) } : scripted;
  };
  return scriptedModel(Array<ScriptedTurn>(MOST_TURNS).fill(turn), { delayMs });
}

/** Throws if no scene fits: the story has no answer to another task. */
export function answer(parts: readonly Part[], { role = 'builder', messages }: Pick<ModelRequest, 'role' | 'messages'>, tool = ''): { say: string; calls: Array<{ name: string; args: Record<string, unknown> }> } {
  const look = lookIn(messages);
  const part = parts.find(({ work }) => (work.kind === 'task' ? `${look(TASK)}\n## `.includes(`## Original Message\n> ${work.message}\n\n## `) : look('prompt').includes(work.kind === 'spec' ? work.path : '')));
  const scene = part?.scenes.find((scene) => (scene.role ?? role) === role && (scene.tool ?? tool) === tool && (scene.phase ?? phaseOf(look)) === phaseOf(look) && holds(scene.when, look));
  if (!scene) throw new Error('The demo script can only play its story. Play the story, or connect a model.');
  const taken = messages.filter((message) => message.role === 'assistant').length;
  const { say, calls = [] }: Turn = scene.turns.filter(({ when }) => holds(when, look))[taken] ?? done('There is nothing left to do.');
  return { say, calls: calls.filter(({ when }) => holds(when, look)).map(({ name, args }) => ({ name, args: Object.fromEntries(Object.entries(args).map(([key, value]) => [key, filled(value, look)])) })) };
}

const phaseOf = (look: Look): string => /^Phase: (\w+)/.exec(look('prompt'))?.[1] ?? '';

/** A text of a call without its conditions and placeholders; other arguments as they are. */
function filled(value: unknown, look: Look): unknown {
  if (!isText(value)) return value;
  const text = typeof value === 'string' ? value : value.map((piece) => (typeof piece === 'string' ? piece : holds(piece.when, look) ? piece.text : '')).join('');
  return text.replaceAll('{{task}}', /^Counter:\s*(\d+)/m.exec(look(TASK))?.[1] ?? '1');
}

const isText = (value: unknown): value is Text => typeof value === 'string' || (Array.isArray(value) && typeof value[0] === 'string');

/** A scripted agent has no memory: the prompt has the task and the agent's notes, and results of tools have the rest. */
function lookIn(messages: ChatMessage[]): Look {
  const prompt = messages.find((message) => message.role === 'user')?.content ?? '';
  return (place) => {
    if (place === 'prompt') return prompt;
    if (place.startsWith('read ')) return firstRead(messages, place.slice(5));
    const title = place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`^\\[\\S+ begin: ${title}\\]\\n([\\s\\S]*?)^\\[\\S+ end: ${title}\\]`, 'm').exec(prompt)?.[1] ?? '';
  };
}

/** The first result of `read_file` for a path. */
function firstRead(messages: ChatMessage[], path: string): string {
  const call = messages.flatMap((message) => (message.role === 'assistant' ? message.tool_calls ?? [] : []))
    .find(({ function: { name, arguments: args } }) => name === 'read_file' && (JSON.parse(args) as { path: string }).path === path);
  return messages.find((message) => message.role === 'tool' && message.tool_call_id === call?.id)?.content ?? '';
}

function mustHang({ role, messages }: ModelRequest): boolean {
  const [wanted, words = ''] = hangAt?.split(':') ?? [];
  const isWanted = wanted === role && messages.some(({ content }) => content?.includes(words));
  if (isWanted) hangAt = null;
  const hangs = hangNext.peek() || isWanted;
  hangNext.value = false;
  return hangs;
}

/** As a provider would count it, with prices of a small model. */
function usageOf(request: string, answer: string): Usage {
  const [inputTokens, outputTokens] = [request, answer].map((text) => Math.ceil(text.length / 4)) as [number, number];
  return { inputTokens, outputTokens, costUsd: (inputTokens + 5 * outputTokens) / 1e6 };
}
