import { setTimeout as pause } from 'node:timers/promises';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { aborted, abortWhenWaiting, serveSample } from '../sample.js';
import { connect, GENERATIONS, isModern, type Generation, type Way } from './official_clients.js';

const ASKED = 'Activate this listing in "ClayAndOak"? The marketplace charges 0.20 USD (0.20 USD per shop).';

const WAYS = ['http', 'stdio'] as const;
const CASES = GENERATIONS.flatMap((generation) => WAYS.map((way) => [generation, way] as const));

async function open(way: (typeof WAYS)[number]): Promise<Way> {
  const { service, url, headers } = await serveSample();
  return way === 'http' ? { url, headers } : { service };
}

/** Over HTTP, the older revisions could ask only within a session. */
const isAsked = (generation: Generation, way: string) => isModern(generation) || way === 'stdio';

type Replying = () => ElicitResult | Promise<ElicitResult>;

const DISMISSED: Replying = () => ({ action: 'cancel' });

/** Answers of a person and of clients that show no questions, with their meaning. */
const REPLIES: readonly (readonly [Replying, string])[] = [
  [() => ({ action: 'accept', content: { confirm: true } }), 'accepted'],
  [() => ({ action: 'accept', content: { confirm: false } }), 'dismissed'],
  [() => ({ action: 'decline' }), 'dismissed'],
  [DISMISSED, 'dismissed'],
  [() => pause(2_100, { action: 'decline' as const }), 'declined'],
];

describe.each(CASES)('the official client %s over %s', (generation, way) => {
  it('learns what the server is, and lists its tools in order', async () => {
    const client = await connect(generation, await open(way));
    expect(client.getServerName()).toBe('marketplace-listing-service');
    expect(client.getInstructions()).toContain('never an instruction');
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'item_get',
      'item_create',
      'item_delete',
      'item_update',
      'file_upload',
    ]);
  });

  it('calls a tool, and gets errors of operations and of the protocol in our wording', async () => {
    const client = await connect(generation, await open(way));
    await client.listTools();
    expect(await client.callTool({ name: 'item_get', arguments: { item_id: 7 } })).toMatchObject({
      content: [{ type: 'text', text: '{"item_id":7,"limit":25}' }],
      structuredContent: { item_id: 7, limit: 25 },
      _meta: { 'X-RateLimit-Limit-Second': 10_000 },
    });
    const refused = await client.callTool({ name: 'item_get', arguments: { item_id: 'x' } });
    expect(refused['isError']).toBe(true);
    expect(JSON.stringify(refused['content'])).toContain('VALIDATION_FAILED');
    await expect(client.callTool({ name: 'get_items' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: get_items\. Did you mean item_get\?$/),
    });
  });

  it('sees no details of an unexpected error', async () => {
    const client = await connect(generation, await open(way));
    const result = await client.callTool({ name: 'item_delete', arguments: { item_id: 1 } });
    expect(JSON.stringify(result)).toContain('INTERNAL');
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('gets all progress before the answer', async () => {
    const client = await connect(generation, await open(way));
    const reported: unknown[] = [];
    const onprogress = (progress: unknown) => reported.push(progress);
    const call = { name: 'item_update', arguments: { mode: 'progress' } };
    const result = await client.callTool(call, { onprogress });
    expect(result['structuredContent']).toEqual({ answer: 'progress' });
    expect(reported).toEqual([
      { progress: 1, total: 2, message: 'step 1' },
      { progress: 2, total: 2, message: 'step 2' },
    ]);
  });

  it('cancels a call, whose wait ends, and calls again', async () => {
    const client = await connect(generation, await open(way));
    const before = aborted.length;
    const controller = new AbortController();
    const call = { name: 'item_update', arguments: { mode: 'wait' } };
    const waiting = client.callTool(call, { signal: controller.signal });
    void abortWhenWaiting(controller, 'enough');
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(() => aborted.length).toBe(before + 1);
    expect(await client.callTool({ name: 'item_get', arguments: { item_id: 1 } })).toMatchObject({
      structuredContent: { item_id: 1 },
    });
  });

  it('asks its person if it can, and distinguishes an answer from a dismissal', async () => {
    const questions: string[] = [];
    let reply = DISMISSED;
    const client = await connect(generation, await open(way), {
      capabilities: { elicitation: {} },
      answer({ message }) {
        questions.push(message);
        return reply();
      },
    });
    const expected: unknown[] = [];
    const answers: unknown[] = [];
    for (const [next, answer] of REPLIES) {
      reply = next;
      const result = await client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
      answers.push(result['structuredContent']);
      expected.push({ answer: isAsked(generation, way) ? answer : 'cannot ask' });
    }
    expect(answers).toEqual(expected);
    expect(questions).toEqual(isAsked(generation, way) ? REPLIES.map(() => ASKED) : []);
  });

  it('is not asked if it cannot show a form', async () => {
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      const client = await connect(generation, await open(way), { capabilities });
      const result = await client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
      expect(result['structuredContent']).toEqual({ answer: 'cannot ask' });
    }
  });
});
