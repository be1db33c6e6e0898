import { openAiCompatible } from 'loopgate/openai';
import { conformance } from './conformance.mjs';
import { chat } from './dialects.mjs';

conformance({
  name: 'openAiCompatible',
  create: ({ baseUrl, query, ...options }) => openAiCompatible({ baseUrl: `${baseUrl}/v1${query ? `?${query}` : ''}`, model: 'gpt-5.2', ...options }),
  dialect: chat,
});
