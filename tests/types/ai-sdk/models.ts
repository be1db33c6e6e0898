// The language models of each version of the AI SDK's specification fit `aiSdk`. This file is only compiled.
import { createAnthropic as anthropic2 } from 'ai-sdk-anthropic-v2';
import { createAnthropic as anthropic3 } from 'ai-sdk-anthropic-v3';
import { createAnthropic as anthropic4 } from 'ai-sdk-anthropic-v4';
import { createOpenAICompatible as compatible2 } from 'ai-sdk-openai-compatible-v2';
import { createOpenAICompatible as compatible3 } from 'ai-sdk-openai-compatible-v3';
import { createOpenAICompatible as compatible4 } from 'ai-sdk-openai-compatible-v4';
import { createOpenAI as openai2 } from 'ai-sdk-openai-v2';
import { createOpenAI as openai3 } from 'ai-sdk-openai-v3';
import { createOpenAI as openai4 } from 'ai-sdk-openai-v4';
import { wrapLanguageModel as wrap2 } from 'ai-sdk-v2';
import { wrapLanguageModel as wrap3 } from 'ai-sdk-v3';
import { wrapLanguageModel as wrap4 } from 'ai-sdk-v4';
import type { ModelPort } from 'loopgate';
import { aiSdk } from 'loopgate/ai-sdk';

const local = { name: 'local', baseURL: 'http://localhost:11434/v1' };

export const models: ModelPort[] = [
  aiSdk(openai2()('gpt')),
  aiSdk(openai3()('gpt')),
  aiSdk(openai4()('gpt')),
  aiSdk(anthropic2()('claude')),
  aiSdk(anthropic3()('claude')),
  aiSdk(anthropic4()('claude')),
  aiSdk(compatible2(local)('m')),
  aiSdk(compatible3(local)('m')),
  aiSdk(compatible4(local)('m')),
  aiSdk(wrap2({ model: openai2()('gpt'), middleware: {} })),
  aiSdk(wrap3({ model: openai3()('gpt'), middleware: { specificationVersion: 'v3' } })),
  aiSdk(wrap4({ model: openai4()('gpt'), middleware: {} })),
  // @ts-expect-error not a model, but the id of one
  aiSdk('openai/gpt'),
];
