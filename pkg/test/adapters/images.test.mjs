// Images of the user and of results, in the form that each service takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as anthropic2 from 'ai-sdk-anthropic-v2';
import * as anthropic3 from 'ai-sdk-anthropic-v3';
import * as anthropic4 from 'ai-sdk-anthropic-v4';
import * as compatible2 from 'ai-sdk-openai-compatible-v2';
import * as compatible3 from 'ai-sdk-openai-compatible-v3';
import * as compatible4 from 'ai-sdk-openai-compatible-v4';
import * as openai2 from 'ai-sdk-openai-v2';
import * as openai3 from 'ai-sdk-openai-v3';
import * as openai4 from 'ai-sdk-openai-v4';
import { aiSdk } from 'loopgate/ai-sdk';
import { anthropic } from 'loopgate/anthropic';
import { openAiCompatible, openAiResponses } from 'loopgate/openai';
import { KEY, asker } from './asking.mjs';
import { chat, messages, responses } from './dialects.mjs';
import { serve, startStream } from './server.mjs';

const address = ({ mediaType, data }) => `data:${mediaType};base64,${data}`;

/** What an API takes as a text, as an image, and as the content of the message that has the results of calls. */
const chatForm = { dialect: chat, list: (body) => body.messages, text: (text) => ({ type: 'text', text }), image: (image) => ({ type: 'image_url', image_url: { url: address(image) } }) };
const responsesForm = { dialect: responses, list: (body) => body.input, text: (text) => ({ type: 'input_text', text }), image: (image) => ({ type: 'input_image', image_url: address(image) }) };
const messagesForm = { dialect: messages, list: (body) => body.messages, text: (text) => ({ type: 'text', text }), image: ({ mediaType, data }) => ({ type: 'image', source: { type: 'base64', media_type: mediaType, data } }) };

const SDK = {
  v2: { openai: openai2, anthropic: anthropic2, compatible: compatible2 },
  v3: { openai: openai3, anthropic: anthropic3, compatible: compatible3 },
  v4: { openai: openai4, anthropic: anthropic4, compatible: compatible4 },
};

/** Each adapter with its service's form, whether the model takes images by default, and whether results may have them. */
const ADAPTERS = [
  ['anthropic', messagesForm, true, (baseUrl, more) => anthropic({ apiKey: KEY, baseUrl, model: 'm', ...more })],
  ['openAiResponses', responsesForm, true, (baseUrl, more) => openAiResponses({ apiKey: KEY, baseUrl, model: 'm', ...more })],
  ['openAiCompatible', chatForm, false, (baseUrl, more) => openAiCompatible({ apiKey: KEY, baseUrl, model: 'm', ...more })],
  ...Object.entries(SDK).flatMap(([version, { openai, anthropic: claude, compatible }]) => [
    [`aiSdk, Anthropic, ${version}`, messagesForm, true, (baseURL, more) => aiSdk(claude.createAnthropic({ apiKey: KEY, baseURL: `${baseURL}/v1` })('m'), more)],
    [`aiSdk, OpenAI's Responses API, ${version}`, responsesForm, true, (baseURL, more) => aiSdk(openai.createOpenAI({ apiKey: KEY, baseURL }).responses('m'), more)],
    [`aiSdk, OpenAI's chat completions, ${version}`, chatForm, true, (baseURL, more) => aiSdk(openai.createOpenAI({ apiKey: KEY, baseURL }).chat('m'), more)],
    [`aiSdk, compatible, ${version}`, chatForm, true, (baseURL, more) => aiSdk(compatible.createOpenAICompatible({ name: 'local', apiKey: KEY, baseURL })('m'), more)],
  ]),
];

const image = (data, mediaType = 'image/png') => ({ mediaType, data });
const [FIRST, SECOND, THIRD] = [image('Zmlyc3Q='), image('c2Vjb25k', 'image/jpeg'), image('dGhpcmQ=', 'image/webp')];
const user = (content, ...images) => ({ role: 'user', content, ...(images.length > 0 && { images }) });
const calls = { role: 'assistant', content: null, tool_calls: ['a', 'b', 'c'].map((id) => ({ id, type: 'function', function: { name: 'screenshot', arguments: '{}' } })) };
const result = (tool_call_id, content, ...images) => ({ role: 'tool', tool_call_id, name: 'screenshot', content, ...(images.length > 0 && { images }) });

for (const [name, { dialect, list, text, image: toImage }, byDefault, create] of ADAPTERS) {
  const sent = async (t, conversation) => {
    const { address, asked } = await serve(t, (_, response) => {
      startStream(response);
      response.end(dialect.stream({ text: 'hi' }).join('') + dialect.end);
    });
    assert.equal((await asker(create(address)).ask({ messages: conversation })).content, 'hi');
    return list(asked[0].body);
  };

  test(`${name}: a message of the user has its text and its images`, async (t) => {
    const [message] = await sent(t, [user('Look.', FIRST, SECOND)]);
    assert.deepEqual(message, { role: 'user', content: [text('Look.'), toImage(FIRST), toImage(SECOND)] });
  });

  test(`${name}: a message of the user may have only an image`, async (t) => {
    const [message] = await sent(t, [user('', FIRST)]);
    assert.deepEqual(message.content, [toImage(FIRST)]);
  });

  test(`${name}: the images of results reach the model once, beside their results`, async (t) => {
    const sentList = await sent(t, [user('go'), calls, result('a', 'the page', FIRST, SECOND), result('b', 'no image'), result('c', ' ', THIRD), user('And now?')]);
    const all = JSON.stringify(sentList);
    for (const { data } of [FIRST, SECOND, THIRD]) assert.equal(all.split(data).length, 2, data);
    if (dialect === messages) {
      const contents = sentList.at(-1).content.filter(({ type }) => type === 'tool_result').map(({ content }) => content);
      assert.deepEqual(contents.map((content, at) => (at === 2 ? content.filter(({ type }) => type === 'image') : content)), [[text('the page'), toImage(FIRST), toImage(SECOND)], 'no image', [toImage(THIRD)]]);
    } else if (dialect === responses) {
      const outputs = sentList.filter(({ type }) => type === 'function_call_output').map(({ output }) => output);
      assert.deepEqual(outputs, [[text('the page'), toImage(FIRST), toImage(SECOND)], 'no image', [toImage(THIRD)]]);
    } else {
      assert.deepEqual(sentList.slice(2, 5).map(({ role, content }) => [role, content]), [['tool', 'the page'], ['tool', 'no image'], ['tool', ' ']]);
      const shown = sentList.slice(5).flatMap(({ role, content }) => (assert.equal(role, 'user'), content));
      assert.deepEqual(shown.filter(({ type }) => type === 'image_url'), [FIRST, SECOND, THIRD].map(toImage));
      assert.match(JSON.stringify(shown[0]), /images are parts of the results above, in the order of the calls: screenshot, screenshot, screenshot\./);
      assert.match(JSON.stringify(sentList.at(-1)), /And now\?/);
    }
  });

  test(`${name}: the port says whether the model takes images`, () => {
    assert.equal(create('http://localhost').images, byDefault);
    for (const images of [true, false]) assert.equal(create('http://localhost', { images }).images, images);
  });
}

test('messages of the user that follow each other are one with all their images in chat completions', async (t) => {
  const { address, asked } = await serve(t, (_, response) => {
    startStream(response);
    response.end(chat.stream({ text: 'hi' }).join('') + chat.end);
  });
  await asker(openAiCompatible({ baseUrl: address, model: 'm' })).ask({ messages: [user('One.', FIRST), user('Two.'), user('Three.', SECOND)] });
  assert.deepEqual(asked[0].body.messages, [{ role: 'user', content: [chatForm.text('One.\n\nTwo.\n\nThree.'), chatForm.image(FIRST), chatForm.image(SECOND)] }]);
});
