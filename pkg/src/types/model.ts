/** One model turn. Messages and tool calls have the OpenAI chat-completions shape. */
export type ModelPort = (request: ModelRequest, context: { signal: AbortSignal; onDelta(delta: ModelDelta): void }) => Promise<ModelResponse>;

export interface ModelRequest {
  role: AgentRole;
  messages: ChatMessage[];
  tools: ToolSchema[];
  responseFormat?: { type: 'json_schema'; name: string; schema: object };
  maxOutputTokens?: number;
}

export type AgentRole = 'builder' | 'planner' | 'verifier' | 'reviewer' | 'parser' | 'summarizer';

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[]; providerData?: unknown }
  | { role: 'tool'; tool_call_id: string; content: string };

/**
 * `providerData` is opaque JSON: what came with the model's answer goes back verbatim to the same model (thought signatures,
 * encrypted reasoning). It is dropped once another model answers, and where the arguments of a call are no JSON object, so that
 * the harness rewrites them: from that call and from its message.
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

export type ModelDelta = { type: 'text'; text: string } | { type: 'reasoning'; text: string };

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
  /** Part of the output tokens. */
  reasoningTokens?: number;
  /** What the answer says, else what `prices` say. */
  costUsd?: number;
  estimated?: boolean;
}
