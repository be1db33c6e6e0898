import type { End } from './finish.js';
import { argumentsText, JsonValue, sameArguments } from './json-values.js';
import { bare, property } from './own.js';
import { addFields, type Fields } from './provider-data.js';
import type { ModelDelta, ToolSchema } from './types/model.js';

/** How many calls of an answer are read. The core takes as many. */
export const CALLS_MAX = 1_000;

/** The ids of the calls of an answer. */
export class Ids {
  readonly #used = new Set<string>();

  /** The service's id, or one of ours where there is none or another call has it. */
  take(given: unknown): string {
    const named = given === undefined || given === null ? '' : String(given);
    const id = named === '' || this.#used.has(named) ? newId() : named;
    this.#used.add(id);
    return id;
  }
}

/** For calls without an id, or with the id of another one; unique over a conversation. */
function newId(): string {
  return `call_${++unnamedCalls}`;
}

let unnamedCalls = 0;

/** A piece of a call, as a service sends it. */
export interface Piece {
  /** Where the call is in the answer. Pieces of one call have the same place, and so may pieces of others. */
  place: unknown;
  id: string;
  name: string;
  arguments: string;
  /** What the service adds. */
  fields: Fields;
}

/** A call, as far as its pieces have come. */
interface Call {
  place: unknown;
  givenId: string;
  /** The id in deltas and in the answer. */
  id: string;
  name: string;
  value: JsonValue;
  /** Pieces of the arguments that were not shown. */
  pending: string[];
  /** The call before it at its place, whose arguments these may repeat. Nothing is shown until that is known. */
  repeats: Call | undefined;
  fields: Fields;
}

/**
 * The calls of an answer that come in pieces, joined by what they say: a second name at a place is a second call, and so is a second
 * object of arguments. Another id without a name is the same call. An empty object before the arguments, and the same arguments again,
 * count for nothing.
 */
export class Calls {
  readonly #calls = new Set<Call>();
  #last: Call | undefined;
  readonly #byPlace = new Map<unknown, Call>();
  readonly #byId = new Map<string, Call>();
  readonly #ids = new Ids();
  #isFull = false;

  constructor(
    private readonly tools: ToolSchema[],
    private readonly onDelta: (delta: ModelDelta) => void,
  ) {}

  get count(): number {
    return this.#calls.size;
  }

  /** There was a call more than are read. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(piece: Piece): void {
    let call = this.#callOf(piece);
    if (!call) return;
    call.name ||= piece.name;
    call.givenId ||= piece.id;
    addFields(call.fields, piece.fields);
    for (let rest = piece.arguments; call; call = this.#open(call.place, '', call.name, call.repeats ?? call)) {
      rest = this.#extend(call, rest);
      if (rest === '') return;
    }
  }

  /** Whether more of a call's arguments may have been to come. */
  hasTorn(end: End): boolean {
    const isSaid = end === 'said' && !this.#isFull;
    return [...this.#calls].some(({ name, value }) => (isSaid ? value.isOpen : mayGoOn(value, name, this.tools)));
  }

  /** The calls in their order. No more may come. */
  finish(): { id: string; name: string; arguments: string; fields: Fields }[] {
    for (const call of this.#calls) if (call.pending.length > 0) this.#show(call);
    return [...this.#calls].map(({ id, name, value, fields }) => ({ id, name, arguments: argumentsText(value.text), fields }));
  }

  /** The call that a piece belongs to, which it may begin. */
  #callOf({ place, id, name, arguments: words }: Piece): Call | undefined {
    const before = place === undefined ? (this.#byId.get(id) ?? this.#last) : (this.#byPlace.get(place) ?? this.#goesOn(id, name));
    if (before && !this.#isAnother(before, place, id, name)) return before;
    if (id === '' && name === '' && words.trim() === '') return undefined;
    // The last piece of some servers is the whole call, with an id of its own.
    return this.#open(place, id, name, place !== undefined && before?.name === name ? before : undefined);
  }

  /** The call of a piece at a new place without a name. Some servers count pieces in place of calls. */
  #goesOn(id: string, name: string): Call | undefined {
    if (name !== '') return undefined;
    if (id !== '') return this.#byId.get(id);
    return this.#last?.value.isWhole ? undefined : this.#last;
  }

  /** Whether a piece with this id and name begins another call than the one before it at its place. */
  #isAnother(call: Call, place: unknown, id: string, name: string): boolean {
    if (name === '' || call.name === '') return false;
    if (name !== call.name) return true;
    if (id === '' || call.givenId === '' || id === call.givenId || this.#hasStandIn(call)) return false;
    return place === undefined || call.value.isWhole;
  }

  /** The arguments are an empty object for a tool that needs some. */
  #hasStandIn({ name, value }: Call): boolean {
    return value.isEmptyObject && requiresArguments(this.tools, name) === true;
  }

  #open(place: unknown, givenId: string, name: string, repeats?: Call): Call | undefined {
    if (this.#calls.size >= CALLS_MAX) {
      this.#isFull = true;
      return undefined;
    }
    const call: Call = { place, givenId, id: this.#ids.take(givenId), name, value: new JsonValue(), pending: [], repeats, fields: bare({}) };
    this.#calls.add(call);
    this.#point(call);
    return call;
  }

  /** The pieces that follow belong to this call. */
  #point(call: Call): void {
    this.#last = call;
    if (call.place !== undefined) this.#byPlace.set(call.place, call);
    if (call.givenId !== '') this.#byId.set(call.givenId, call);
  }

  /** Returns the start of another object, if the text has one. */
  #extend(call: Call, text: string): string {
    if (call.value.isEmptyObject && text.trimStart().startsWith('{')) {
      call.value = new JsonValue();
      call.pending = [];
    }
    const rest = call.value.push(text);
    call.pending.push(text.slice(0, text.length - rest.length));
    const { value, repeats } = call;
    if (repeats && value.isWhole) {
      if (value.isEmptyObject || sameArguments(value.text, repeats.value.text)) {
        this.#calls.delete(call);
        this.#point(repeats);
        return rest;
      }
      call.repeats = undefined;
    }
    if (!call.repeats && !this.#hasStandIn(call) && call.name !== '') this.#show(call);
    return rest;
  }

  #show(call: Call): void {
    this.onDelta({ type: 'tool', id: call.id, name: call.name, text: call.pending.join('') });
    call.pending = [];
  }
}

/** Whether more of a call's arguments may come, as long as nobody says that it is whole. */
export function mayGoOn(value: JsonValue, name: string, tools: ToolSchema[]): boolean {
  return !value.isWhole || (value.isEmptyObject && requiresArguments(tools, name) !== false);
}

/** Whether a tool has a parameter that must be there; `undefined` for a tool that is not offered. */
function requiresArguments(tools: ToolSchema[], name: string): boolean | undefined {
  const tool = tools.find((tool) => tool.function.name === name);
  const required: unknown = property(tool?.function.parameters, 'required');
  return tool && Array.isArray(required) && required.length > 0;
}
