import { anthropic } from 'loopgate/anthropic';
import { conformance } from './conformance.mjs';
import { messages } from './dialects.mjs';

conformance({
  name: 'anthropic',
  create: ({ baseUrl, query, stream: _, ...options }) => anthropic({ baseUrl: `${baseUrl}${query ? `?${query}` : ''}`, model: 'claude-sonnet-4-5', ...options }),
  dialect: messages,
  streams: [true],
});
