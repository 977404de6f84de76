import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { speakWith } from '../../speak_stdio.js';
import { aborted, abortWhenWaiting, openSample } from '../sample.js';

type Message = { id?: unknown; method?: string; result?: unknown; error?: { code: number } };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 't', version: '1' },
  },
};

/** The longest time between two reads of a slow reader. */
const READER_MS = 5;

/** A connection that opened with a handshake, or has yet to open. */
async function start({ isOpen = true } = {}) {
  const { service } = await openSample();
  const input = new PassThrough();
  const messages: Message[] = [];
  /** A slow reader gets everything written since its last read in one chunk. */
  const chunks: string[] = [];
  let written_ms = 0;
  const controller = new AbortController();
  const output = {
    write(lines: string) {
      expect(lines.endsWith('\n')).toBe(true);
      const now_ms = performance.now();
      chunks.push((now_ms - written_ms < READER_MS ? (chunks.pop() ?? '') : '') + lines);
      written_ms = now_ms;
      messages.push(
        ...lines
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Message),
      );
      return true;
    },
  };
  const ended = speakWith(service, { input, output, signal: controller.signal });
  const send = (...sent: unknown[]) => {
    for (const message of sent) {
      input.write(typeof message === 'string' ? `${message}\n` : `${JSON.stringify(message)}\n`);
    }
  };
  if (isOpen) {
    send(INITIALIZE);
    while (messages.length < 1) await delay(2);
    messages.length = 0;
    chunks.length = 0;
  }
  return { input, send, messages, chunks, ended, controller };
}

/** Whether an answer is in the same chunk as progress of its own call. */
function hasOwnProgress(chunk: string): boolean {
  const lines = chunk
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message & { params?: { progressToken?: unknown } });
  return lines.some(
    ({ id, result }, at) =>
      result !== undefined && lines.slice(0, at).some(({ params }) => params?.progressToken === id),
  );
}

const call = (id: unknown, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('stdio', () => {
  it('never writes an answer in one chunk with progress, whose handler the official client would skip', async () => {
    const { send, messages, chunks } = await start();
    const { params, ...reporting } = call(1, 'item_update', { mode: 'progress' });
    send(
      { ...reporting, params: { ...params, _meta: { progressToken: 1 } } },
      { ...reporting, id: 2, params: { ...params, _meta: { progressToken: 2 } } },
      call(3, 'item_update', { mode: 'progress' }),
    );
    await expect.poll(() => messages.length).toBe(7);
    expect(chunks.filter(hasOwnProgress)).toEqual([]);
    expect(messages.at(0)).toMatchObject({ method: 'notifications/progress' });
  });

  it('answers each line, even one that is not a message', async () => {
    const { send, messages } = await start();
    send(
      '',
      '{',
      '[]',
      '{"a":1}',
      { jsonrpc: '2.0', id: 'l', method: 'tools/list' },
      { jsonrpc: '2.0', id: 5, method: 'no' },
    );
    await expect.poll(() => messages.length).toBe(5);
    // In any order, as each is done.
    const answers = messages.map(({ id, error }) => [id, error?.code]);
    expect(answers).toHaveLength(5);
    expect(answers).toEqual(
      expect.arrayContaining([
        [undefined, -32700],
        [undefined, -32600],
        ['l', undefined],
        [5, -32601],
      ]),
    );
  });

  it('keeps answers with the same id apart, and joins lines that arrive in pieces', async () => {
    const { input, messages } = await start();
    const lines = [1, 2]
      .map((item_id) => `${JSON.stringify(call('same', 'item_get', { item_id }))}\r\n`)
      .join('');
    for (const byte of Buffer.from(lines)) input.write(Buffer.from([byte]));
    await expect.poll(() => messages.length).toBe(2);
    expect(messages).toMatchObject([
      { id: 'same', result: { structuredContent: { item_id: 1 } } },
      { id: 'same', result: { structuredContent: { item_id: 2 } } },
    ]);
  });

  it('skips an oversized line', async () => {
    const { send, messages } = await start();
    send(`"${'x'.repeat(9 * 1024 * 1024)}"`, call(1, 'item_get', { item_id: 1 }));
    await expect.poll(() => messages.length).toBe(2);
    expect(messages).toMatchObject([{ error: { code: -32600 } }, { id: 1 }]);
  });

  it('answers an oversized call under its id, wherever a client writes it', async () => {
    const { send, messages } = await start();
    const params = {
      name: 'item_get',
      arguments: { item_id: 1, long: `"id":3}${'x'.repeat(9 * 1024 * 1024)}` },
    };
    const method = 'tools/call';
    const forms = [
      { jsonrpc: '2.0', id: 'a"}', method, params },
      { method, params, jsonrpc: '2.0', id: 2 },
      { params, method, id: 4, jsonrpc: '2.0' },
    ];
    send(...forms.map((form) => JSON.stringify(form)));
    await expect.poll(() => messages.length).toBe(3);
    expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([
      ['a"}', -32600],
      [2, -32600],
      [4, -32600],
    ]);
  });

  it('accepts 1 MiB, or 8 MiB for a file', async () => {
    const { send, messages } = await start();
    const file = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(4 * 1024 * 1024)]).toString('base64');
    send(
      call(1, 'item_get', { item_id: 1, name: file }),
      call(2, 'file_upload', { file, filename: 'a.gif' }),
    );
    await expect.poll(() => messages.length).toBe(2);
    expect(messages).toMatchObject([
      { id: 1, error: { code: -32600, message: expect.stringContaining('may have 1024 KiB') } },
      { id: 2, result: { content: [expect.anything()] } },
    ]);
  });

  it('cancels a call on request and never answers it', async () => {
    const { send, messages } = await start();
    const before = aborted.length;
    send(call(7, 'item_update', { mode: 'wait' }), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    });
    await expect.poll(() => aborted.length).toBe(before + 1);
    send(call(8, 'item_get', { item_id: 1 }));
    await expect.poll(() => messages.length).toBe(1);
    expect(messages[0]?.id).toBe(8);
  });

  it('exits when its input ends, after answering running calls', async () => {
    const { input, send, messages, ended } = await start();
    send(call(1, 'item_update', { mode: 'progress' }));
    input.end();
    await ended;
    expect(messages.map(({ id }) => id)).toEqual([1]);
  });

  it('exits immediately on request', async () => {
    const { send, ended, controller } = await start();
    send(call(1, 'item_update', { mode: 'wait' }));
    const before = aborted.length;
    void abortWhenWaiting(controller);
    await ended;
    await expect.poll(() => aborted.length).toBe(before + 1);
  });
});

const stateless = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: META },
});

const update = (id: unknown, mode: string, more: object = {}) =>
  stateless(id, 'tools/call', { name: 'item_update', arguments: { mode }, ...more });

describe('the era of a connection', () => {
  it('remains the one of the handshake', async () => {
    const { send, messages } = await start();
    send(
      stateless(1, 'server/discover'),
      call(2, 'item_get', { item_id: 1 }),
      stateless(3, 'tools/call', { name: 'item_get', arguments: { item_id: 2 } }),
      { jsonrpc: '2.0', id: 4, method: 'server/discover' },
      stateless(5, 'initialize'),
      { jsonrpc: '2.0', id: 6, method: 'ping' },
    );
    await expect.poll(() => messages.length).toBe(6);
    const byId = Object.fromEntries(messages.map((message) => [String(message.id), message]));
    expect(byId).toMatchObject({
      1: { error: { code: -32601 } },
      2: { result: { structuredContent: { item_id: 1 } } },
      3: { result: { structuredContent: { item_id: 2 } } },
      4: { error: { code: -32601 } },
      5: { error: { code: -32601 } },
      6: { result: {} },
    });
    expect(byId['3']?.result).not.toHaveProperty('resultType');
  });

  it('remains the one of the first call without a handshake', async () => {
    const { send, messages } = await start({ isOpen: false });
    send(
      stateless(1, 'tools/call', { name: 'item_get', arguments: { item_id: 1 } }),
      INITIALIZE,
      call(2, 'item_get', { item_id: 2 }),
      stateless(3, 'subscriptions/listen'),
      stateless(4, 'ping'),
    );
    await expect.poll(() => messages.length).toBe(5);
    const byId = Object.fromEntries(messages.map((message) => [String(message.id), message]));
    expect(byId).toMatchObject({
      0: { error: { code: -32022 } },
      1: { result: { resultType: 'complete', structuredContent: { item_id: 1 } } },
      2: { error: { code: -32602 } },
      3: { error: { code: -32601 } },
      4: { error: { code: -32601 } },
    });
  });

  it('does not exempt a later request with an unsupported version from refusal', async () => {
    const { send, messages } = await start({ isOpen: false });
    const later = stateless(2, 'tools/list');
    later.params._meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2199-01-01' };
    send({ ...later, id: 0 }, stateless(1, 'server/discover'), stateless(1, 'ping'), later);
    await expect.poll(() => messages.length).toBe(4);
    const data = { supported: ['2026-07-28'], requested: '2199-01-01' };
    for (const id of [0, 2]) {
      const answer = messages.find((message) => message.id === id);
      expect(answer?.error).toEqual({
        code: -32022,
        message: 'Unsupported protocol version: 2199-01-01',
        data,
      });
    }
  });

  it("stays open until a client that asks for the server's versions has chosen", async () => {
    const { send, messages } = await start({ isOpen: false });
    send(stateless(1, 'server/discover'));
    await expect.poll(() => messages.length).toBe(1);
    expect(messages[0]).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } });
    send(INITIALIZE, call(2, 'item_get', { item_id: 1 }));
    await expect.poll(() => messages.length).toBe(3);
    expect(messages[1]).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
    expect(messages[2]?.result).not.toHaveProperty('resultType');
  });
});

describe('a question over stdio', () => {
  const YES = { action: 'accept', content: { confirm: true } };
  const ask = call(1, 'item_update', { mode: 'ask' });

  async function startAsking() {
    const started = await start();
    started.send(ask);
    await expect.poll(() => started.messages.length).toBe(1);
    expect(started.messages[0]).toMatchObject({ method: 'elicitation/create' });
    return { ...started, question: started.messages[0]?.id };
  }

  it.each([
    ['a yes', (id: unknown) => ({ id, result: YES }), 'accepted'],
    ['what no schema has', (id: unknown) => ({ id, result: { action: 7, content: [] } }), 'dismissed'],
    ['an error', (id: unknown) => ({ id, error: { code: -32601, message: 'no' } }), 'dismissed'],
  ])('answered with %s has the right outcome', async (_name, answer, expected) => {
    const { send, messages, question } = await startAsking();
    send({ jsonrpc: '2.0', id: 'unasked', result: YES }, { jsonrpc: '2.0', ...answer(question) });
    await expect.poll(() => messages.length).toBe(2);
    expect(messages[1]).toMatchObject({ id: 1, result: { structuredContent: { answer: expected } } });
  });

  it('is withdrawn when its call is canceled', async () => {
    const { send, messages, question } = await startAsking();
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => messages.length).toBe(2);
    expect(messages[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: question } });
  });
});

describe('stdio without a handshake', () => {
  it('reports progress, and asks in the answer', async () => {
    const { send, messages } = await start({ isOpen: false });
    send({
      ...update('p', 'progress'),
      params: { ...update('p', 'progress').params, _meta: { ...META, progressToken: 9 } },
    });
    await expect.poll(() => messages.length).toBe(3);
    expect(messages.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/progress',
      undefined,
    ]);
    send(update('a', 'ask'));
    await expect.poll(() => messages.length).toBe(4);
    const { requestState } = (messages[3]?.result ?? {}) as { requestState?: string };
    const inputResponses = { consent: { action: 'accept', content: { confirm: true } } };
    send(update('b', 'ask', { requestState, inputResponses }));
    await expect.poll(() => messages.length).toBe(5);
    expect(messages[4]).toMatchObject({ id: 'b', result: { structuredContent: { answer: 'accepted' } } });
  });

  it('cancels the last call with an id, and never answers it', async () => {
    const { send, messages } = await start({ isOpen: false });
    const before = aborted.length;
    send(update(7, 'wait'), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await expect.poll(() => aborted.length).toBe(before + 1);
    send(update(7, 'progress'));
    await expect.poll(() => messages.length).toBe(1);
    expect(messages[0]).toMatchObject({ id: 7, result: { structuredContent: { answer: 'progress' } } });
  });

  it('exits when its input ends, after answering running calls', async () => {
    const { input, send, messages, ended } = await start({ isOpen: false });
    send(update(1, 'progress'));
    input.end();
    await ended;
    expect(messages.map(({ id }) => id)).toEqual([1]);
  });

  it('exits immediately on request', async () => {
    const { send, ended, controller } = await start({ isOpen: false });
    const before = aborted.length;
    send(update(1, 'wait'));
    void abortWhenWaiting(controller);
    await ended;
    await expect.poll(() => aborted.length).toBe(before + 1);
  });
});

it('stdio accepts no batch in any revision', async () => {
  const { send, messages } = await start();
  send([call(1, 'item_get', { item_id: 1 })], [{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
  await expect.poll(() => messages.length).toBe(2);
  const refusal = { error: { code: -32600, message: expect.stringContaining('one message') } };
  expect(messages).toMatchObject([refusal, refusal]);
});
