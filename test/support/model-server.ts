// A model on loopback, so that the real agents can be run without a network. It gives every question the same answer, in the
// form of whichever API is asked, and keeps what it was sent: that shows what an agent remembers of a resumed session.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelServer {
  readonly url: string;
  /** The bodies of all questions, in order. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

export async function startModel(answer: string): Promise<ModelServer> {
  const questions: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (request.method === 'POST') questions.push(body);
      const form = forms.find(([pattern]) => request.method === 'POST' && pattern.test(path));
      if (form === undefined) sendJson(response, path.endsWith('/models') ? models : {});
      else form[1](response, answer, /"stream":\s*true/.test(body) || /:stream/i.test(path));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    questions,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

export const modelName = 'local-model';
const models = { object: 'list', data: [{ id: modelName, object: 'model' }] };

type Form = (response: ServerResponse, answer: string, isStream: boolean) => void;

const forms: readonly (readonly [RegExp, Form])[] = [
  [/\/count_tokens$|:countTokens$/, (response) => sendJson(response, { input_tokens: 9, totalTokens: 9 })],
  [/\/responses$/, sendResponse],
  [/\/chat\/completions$/, sendCompletion],
  [/:(stream)?generateContent$/i, sendContent],
  [/\/messages$/, sendMessage],
];

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Server-sent events: a name where the API has one, and a value. */
function sendEvents(response: ServerResponse, events: readonly (readonly [string | null, unknown])[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, value] of events) {
    if (name !== null) response.write(`event: ${name}\n`);
    response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
  }
  response.end();
}

/** OpenAI's newer API. */
function sendResponse(response: ServerResponse, answer: string, isStream: boolean): void {
  const content = [{ type: 'output_text', text: answer, annotations: [] }];
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const usage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 };
  const whole = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: modelName,
    output: [item],
    usage,
  };
  if (!isStream) {
    sendJson(response, whole);
    return;
  }
  const typed = (type: string, more: object) => [type, { type, ...more }] as const;
  sendEvents(response, [
    typed('response.created', { response: { ...whole, status: 'in_progress', output: [] } }),
    typed('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    typed('response.output_text.delta', {
      item_id: item.id,
      output_index: 0,
      content_index: 0,
      delta: answer,
    }),
    typed('response.output_item.done', { output_index: 0, item }),
    typed('response.completed', { response: whole }),
  ]);
}

/** OpenAI's older API, which most others imitate. */
function sendCompletion(response: ServerResponse, answer: string, isStream: boolean): void {
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
  const head = { id: 'chatcmpl-1', created: 1, model: modelName };
  const message = { role: 'assistant', content: answer };
  if (!isStream) {
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    sendJson(response, { ...head, object: 'chat.completion', choices, usage });
    return;
  }
  const chunk = (delta: object, finish: string | null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  sendEvents(response, [
    [null, chunk(message, null)],
    [null, { ...chunk({}, 'stop'), usage }],
    [null, '[DONE]'],
  ]);
}

function sendContent(response: ServerResponse, answer: string, isStream: boolean): void {
  const content = { role: 'model', parts: [{ text: answer }] };
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 };
  const whole = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata };
  if (isStream) sendEvents(response, [[null, whole]]);
  else sendJson(response, whole);
}

/** Anthropic's. */
function sendMessage(response: ServerResponse, answer: string, isStream: boolean): void {
  const usage = { input_tokens: 9, output_tokens: 3 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: modelName, content: [], usage };
  const text = { type: 'text', text: answer };
  if (!isStream) {
    sendJson(response, { ...message, content: [text], stop_reason: 'end_turn' });
    return;
  }
  const typed = (type: string, more: object) => [type, { type, ...more }] as const;
  sendEvents(response, [
    typed('message_start', { message }),
    typed('content_block_start', { index: 0, content_block: { ...text, text: '' } }),
    typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text: answer } }),
    typed('content_block_stop', { index: 0 }),
    typed('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }),
    typed('message_stop', {}),
  ]);
}
