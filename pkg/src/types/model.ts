import type { MaybePromise } from './maybe-promise.js';

/** One model turn. Messages and tool calls have the OpenAI chat-completions shape. */
export interface ModelPort {
  (request: ModelRequest, context: { signal: AbortSignal; onDelta(delta: ModelDelta): void }): MaybePromise<ModelResponse>;
  /**
   * The size of the model's context window. A conversation that uses more than 80 % of it is shortened: first the oldest results of
   * calls, then the oldest turns. Without it, only after the provider refused a request for its length.
   */
  contextTokens?: number;
  /** The model takes images. Without it, the harness sends none. */
  images?: boolean;
}

export interface ModelRequest {
  role: AgentRole;
  messages: ChatMessage[];
  tools: ToolSchema[];
  responseFormat?: { type: 'json_schema'; name: string; schema: object };
  maxOutputTokens?: number;
}

export type AgentRole = 'builder' | 'planner' | 'verifier' | 'reviewer' | 'parser' | 'summarizer';

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  role: 'system';
  content: string;
}

export interface UserMessage {
  role: 'user';
  content: string;
  images?: Image[];
}

export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: ToolCall[];
  providerData?: unknown;
}

/** The result of a call; `name` is the tool's. */
export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  name: string;
  content: string;
  images?: Image[];
}

export interface Image {
  /** Such as `image/png`. */
  mediaType: string;
  /** The bytes as base64, without `data:`. */
  data: string;
}

/**
 * `providerData` is opaque JSON, such as thought signatures or encrypted reasoning. It goes back verbatim to the model that sent
 * it. It is dropped if another model answers. If the arguments of a call are not a JSON object, or services refuse its name, the
 * harness rewrites them and drops the data of the call and its message.
 */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  providerData?: unknown;
}

export interface ToolSchema {
  type: 'function';
  function: { name: string; description: string; parameters: object };
}

/**
 * A piece of an answer that arrives. `tool`: of a call, whose `text` is a piece of its arguments; `id` and `name` belong to the call
 * in the answer. `note`: what the port does otherwise from now on, because the service refused it; it becomes an event `status`.
 * `activity`: the model still answers, with nothing to show. Each delta restarts the limit `modelIdleMs`.
 */
export type ModelDelta = { type: 'text' | 'reasoning' | 'note'; text: string } | { type: 'tool'; id: string; name: string; text: string } | { type: 'activity' };

export interface ModelResponse {
  content: string | null;
  tool_calls?: ToolCall[];
  finish_reason: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'error';
  usage?: Usage;
  /** The model's id, for `prices` and `providerData`. */
  model?: string;
  providerData?: unknown;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Part of the input tokens. */
  cachedInputTokens?: number;
  /** Written to the provider's cache. Part of the input tokens. */
  cacheWriteTokens?: number;
  /** Part of the output tokens. */
  reasoningTokens?: number;
  /** From the answer, otherwise from `prices`. */
  costUsd?: number;
  estimated?: boolean;
}
