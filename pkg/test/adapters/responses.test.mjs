import { openAiResponses } from 'loopgate/openai';
import { conformance } from './conformance.mjs';
import { responses } from './dialects.mjs';

conformance({
  name: 'openAiResponses',
  create: ({ baseUrl, query, ...options }) => openAiResponses({ baseUrl: `${baseUrl}/v1${query ? `?${query}` : ''}`, model: 'gpt-5.2', ...options }),
  dialect: responses,
});
