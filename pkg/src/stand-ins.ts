import { bare } from './own.js';

// Some services require a field of their own in each message with calls. The harness drops such data if another model answered or if it
// rewrote a call's arguments, and a service that then refuses the conversation gets something in its place.

type Message = Record<string, any>;

/** By the name of the field in the service's refusal. */
const STAND_INS: Record<string, (message: Message) => Message> = {
  // Moonshot takes an empty text for none.
  reasoning_content: (message) => (message.reasoning_content ? message : bare({ ...message, reasoning_content: ' ' })),
  // Google's own value for calls that it did not sign. It signs the first call of a message.
  thought_signature: (message) => bare({ ...message, tool_calls: message.tool_calls.map((call: Message, at: number) => (at > 0 || call.extra_content ? call : bare({ ...call, extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }))) }),
};

/** The field that a service misses, according to its refusal. */
export function missingField(refusal: string): string | undefined {
  return /missing|must be|required/i.test(refusal) ? Object.keys(STAND_INS).find((name) => refusal.includes(name)) : undefined;
}

/** The message with what the service misses in it. */
export function withStandIns(message: Message, missing: ReadonlySet<string>): object {
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return [...missing].reduce((filled, name) => STAND_INS[name]?.(filled) ?? filled, message);
}
