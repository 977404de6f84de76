import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpFace } from '../../../src/transports/index.js';
import { systemClock } from '../../../src/world/clock.js';
import { openSample, serveSample } from '../sample.js';
import { createStatelessClient, type Received, type StatelessClient } from './stateless_client.js';

/*
 * Asking the person without keeping a call open: the question is in the answer, and comes back with the
 * reply.
 */

const ASK = { mode: 'ask' };
const YES = { consent: { action: 'accept', content: { confirm: true } } };

async function open(client_capabilities: Record<string, unknown> = { elicitation: {} }) {
  let passed_ms = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + passed_ms) };
  const sample = await serveSample({ clock });
  const client = createStatelessClient(sample.url, sample.headers, client_capabilities);
  return { ...sample, client, wait: (duration_ms: number) => (passed_ms += duration_ms) };
}

async function askOnce(client: StatelessClient, input: Record<string, unknown> = ASK): Promise<string> {
  const { answer } = await client.callTool('item_update', input);
  expect(answer.result?.['resultType']).toBe('input_required');
  return answer.result?.['requestState'] as string;
}

const readAnswer = ({ answer }: Received) =>
  (answer.result?.['structuredContent'] as { answer: string } | undefined)?.answer ?? answer;

describe('a question', () => {
  it('is the answer of a call that needs it, with the usual limits', async () => {
    const { client } = await open();
    const { status, content_type, answer } = await client.callTool('item_update', ASK);
    expect([status, content_type]).toEqual([200, 'application/json']);
    expect(answer.result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        consent: {
          method: 'elicitation/create',
          params: {
            message:
              'Activate this listing in "ClayAndOak"? The marketplace charges 0.20 USD (0.20 USD per shop).',
            requestedSchema: expect.objectContaining({ required: ['confirm'] }),
          },
        },
      },
      requestState: expect.stringMatching(/^[\w-]{100,}$/),
      _meta: expect.objectContaining({
        'X-RateLimit-Limit-Second': 10_000,
        'io.modelcontextprotocol/serverInfo': expect.anything(),
      }),
    });
  });

  it.each([
    [{ action: 'accept', content: { confirm: true } }, 'accepted'],
    [{ action: 'accept', content: { confirm: true, more: 1 } }, 'accepted'],
    [{ action: 'accept', content: { confirm: false } }, 'dismissed'],
    [{ action: 'accept', content: { confirm: 'true' } }, 'dismissed'],
    [{ action: 'accept', content: { confirm: 1 } }, 'dismissed'],
    [{ action: 'accept', content: null }, 'dismissed'],
    [{ action: 'accept' }, 'dismissed'],
    [{ action: 'ACCEPT', content: { confirm: true } }, 'dismissed'],
    [{ action: 'decline', content: { confirm: true } }, 'dismissed'],
    [{ action: 'cancel' }, 'dismissed'],
    [{}, 'dismissed'],
  ])('answered with %o is %s', async (reply, answer) => {
    const { client } = await open();
    const requestState = await askOnce(client);
    const inputResponses = { consent: reply, unasked: { action: 'accept' } };
    expect(readAnswer(await client.callTool('item_update', ASK, { requestState, inputResponses }))).toBe(
      answer,
    );
  });

  it.each([{}, { elicitation: { url: {} } }, { sampling: {}, roots: {} }])(
    'is not asked if the client declares %o',
    async (client_capabilities) => {
      const { client } = await open(client_capabilities);
      expect(readAnswer(await client.callTool('item_update', ASK))).toBe('cannot ask');
    },
  );

  it('is asked again if the reply is missing', async () => {
    const { client } = await open();
    const requestState = await askOnce(client);
    for (const more of [{ requestState }, { requestState, inputResponses: {} }, { inputResponses: YES }]) {
      const { answer } = await client.callTool('item_update', ASK, more);
      expect(answer.result).toMatchObject({ resultType: 'input_required' });
      expect(answer.result?.['requestState']).not.toBe(requestState);
    }
    // None of these calls used it up.
    const received = await client.callTool('item_update', ASK, { requestState, inputResponses: YES });
    expect(readAnswer(received)).toBe('accepted');
  });

  it('counts as unanswered after 45 seconds', async () => {
    const { client, wait } = await open();
    const requestState = await askOnce(client);
    const late = await askOnce(client);
    wait(44_000);
    const inputResponses = YES;
    expect(readAnswer(await client.callTool('item_update', ASK, { requestState, inputResponses }))).toBe(
      'accepted',
    );
    wait(1_000);
    const received = await client.callTool('item_update', ASK, { requestState: late, inputResponses });
    expect(readAnswer(received)).toBe('unanswered');
  });

  it('is answered even if the arguments come in another order', async () => {
    const { client } = await open();
    const requestState = await askOnce(client, { mode: 'ask', more: { a: 1, b: [2] } });
    const again = { more: { b: [2], a: 1 }, mode: 'ask' };
    const received = await client.callTool('item_update', again, { requestState, inputResponses: YES });
    expect(readAnswer(received)).toBe('accepted');
  });
});

describe('a reply is refused', () => {
  const refusal = { error: { code: -32602, message: expect.stringContaining('requestState') } };

  it.each([
    ['changed', (state: string) => `${state}-TAMPERED`],
    ['cut', (state: string) => state.slice(0, -1)],
    ['empty', () => ''],
    ['garbage', () => 'x'.repeat(1_000)],
    ['no text', () => 7],
    ['nothing', () => null],
  ])('if its state is %s', async (_name, change) => {
    const { client } = await open();
    const requestState = change(await askOnce(client));
    const received = await client.callTool('item_update', ASK, { requestState, inputResponses: YES });
    expect([received.status, received.answer]).toMatchObject([200, refusal]);
  });

  it.each([[null], [[]], ['yes'], [{ consent: 12_345 }], [{ consent: [YES] }], [{ consent: null }]])(
    'if it is %j',
    async (inputResponses) => {
      const { client } = await open();
      const requestState = await askOnce(client);
      const { answer } = await client.callTool('item_update', ASK, { requestState, inputResponses });
      expect(answer.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('inputResponses'),
      });
    },
  );

  it('if it comes twice, even at the same moment or to another process', async () => {
    const { client, data_dir } = await open();
    // A second process on the same folder, as far as stored data goes.
    const beside = await openSample({ data_dir });
    const face = await createHttpFace(beside.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
    onTestFinished(() => face.close(0));
    const headers = { 'x-service-api-key': beside.key };
    const other = createStatelessClient(`http://127.0.0.1:${face.port}`, headers, { elicitation: {} });

    const requestState = await askOnce(client);
    const again = [client, other, client, other];
    const received = await Promise.all(
      again.map((each) => each.callTool('item_update', ASK, { requestState, inputResponses: YES })),
    );
    const answers = received.map(readAnswer);
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1);
    expect(answers.filter((answer) => answer !== 'accepted')).toMatchObject([refusal, refusal, refusal]);
    expect(await other.callTool('item_update', ASK, { requestState, inputResponses: YES })).toMatchObject({
      answer: refusal,
    });
  });

  it('if it was given for other arguments, another tool or another account', async () => {
    const { client, store, accounts, url } = await open();
    const requestState = await askOnce(client);
    const more = { requestState, inputResponses: YES };
    const stranger = await store.accounts.createAccount('stranger');
    const { key } = await accounts.createKey(stranger.account_id, 'x');
    const other = createStatelessClient(url, { 'x-service-api-key': key }, { elicitation: {} });

    const received = [
      await client.callTool('item_update', { mode: 'ask', shops: 2 }, more),
      await client.callTool('item_create', ASK, more),
      await other.callTool('item_update', ASK, more),
    ];
    expect(received.map(({ answer }) => answer)).toMatchObject([refusal, refusal, refusal]);
  });
});
