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
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
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
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  reasoningTokens?: number;
  costUsd?: number;
  estimated?: boolean;
}
