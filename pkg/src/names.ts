import { bare } from './own.js';
import type { ChatMessage, ModelRequest } from './types/model.js';

/** The names of tools that all services take. */
const NAME = /^[\w-]{1,64}$/;

/**
 * The request with names of calls that services take. A model may call a tool that there is not, by any name, and the call stays in the
 * conversation.
 */
export function withNames(request: ModelRequest): ModelRequest {
  const offered = new Set(request.tools.map((tool) => tool.function.name));
  const known = (name: string) => offered.has(name) || NAME.test(name);
  const valid = (name: string) => (known(name) ? name : name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed');
  const messages = request.messages.map((message): ChatMessage => {
    if (message.role === 'tool') return known(message.name) ? message : bare({ ...message, name: valid(message.name) });
    if (message.role !== 'assistant' || !message.tool_calls?.some((call) => !known(call.function.name))) return message;
    return bare({ ...message, tool_calls: message.tool_calls.map((call) => bare({ ...call, function: bare({ ...call.function, name: valid(call.function.name) }) })) });
  });
  return bare({ ...request, messages });
}
