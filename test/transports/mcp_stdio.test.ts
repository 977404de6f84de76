import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runStdio } from '../../src/transports/index.js';
import { aborted, openSample } from './sample.js';

type Message = { id?: unknown; method?: string; result?: unknown; error?: { code: number } };

async function start() {
  const { service } = await openSample();
  const input = new PassThrough();
  const messages: Message[] = [];
  const controller = new AbortController();
  const output = {
    write(line: string) {
      expect(line.endsWith('\n')).toBe(true);
      messages.push(JSON.parse(line) as Message);
      return true;
    },
  };
  const ended = runStdio(service, { input, output, signal: controller.signal });
  const send = (...sent: unknown[]) => {
    for (const message of sent) {
      input.write(typeof message === 'string' ? `${message}\n` : `${JSON.stringify(message)}\n`);
    }
  };
  send({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  await expect.poll(() => messages.length).toBe(1);
  messages.length = 0;
  return { input, send, messages, ended, controller };
}

const call = (id: unknown, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('stdio', () => {
  it('answers each line, whatever it is', async () => {
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
    expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      ['l', undefined],
      [5, -32601],
    ]);
  });

  it('keeps answers of one id apart, and lines that come in pieces together', async () => {
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

  it('passes over a line beyond measure', async () => {
    const { send, messages } = await start();
    send(`"${'x'.repeat(9 * 1024 * 1024)}"`, call(1, 'item_get', { item_id: 1 }));
    await expect.poll(() => messages.length).toBe(2);
    expect(messages).toMatchObject([{ id: null, error: { code: -32600 } }, { id: 1 }]);
  });

  it('cancels a call on request and answers it no more', async () => {
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

  it('ends with its input, after what runs has been answered', async () => {
    const { input, send, messages, ended } = await start();
    send(call(1, 'item_update', { mode: 'progress' }));
    input.end();
    await ended;
    expect(messages.map(({ id }) => id)).toEqual([1]);
  });

  it('ends at once when told to', async () => {
    const { send, ended, controller } = await start();
    send(call(1, 'item_update', { mode: 'wait' }));
    const before = aborted.length;
    setTimeout(() => controller.abort(), 50);
    await ended;
    await expect.poll(() => aborted.length).toBe(before + 1);
  });
});
