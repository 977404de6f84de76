import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../service.js';
import { connect } from '../transports/mcp/official_clients.js';
import {
  createStatelessClient,
  type Received,
  type StatelessClient,
} from '../transports/mcp/stateless_client.js';

/*
 * Where a person can be asked, money is spent only after a yes, in both eras of the protocol. The tests check
 * the marketplace's state, not only the service's answers.
 */

type Told = { code?: string; status?: string; warnings?: { code: string }[]; listing_pk?: number };

let service: TestService;
let face: HttpFace;
let url: string;
let headers: Record<string, string>;
let request: Record<string, unknown>;

beforeEach(async () => {
  service = await startService();
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  url = `http://127.0.0.1:${face.port}`;
  headers = { 'x-service-api-key': key };
  const images = [{ url: await upload(service, 'photo-01.jpg') }];
  request = buildMug(await listTargets(service), { state: 'active', images });
});

afterEach(async () => {
  await face.close(0);
  await service.close();
});

/** Listings and fees of the marketplace, and our listings. */
async function count() {
  const { listings, fees } = await service.control<{ listings: unknown[]; fees: unknown[] }>('GET', '/state');
  const { total } = await service.call<{ total: number }>('listings_list');
  return { listings: listings.length, fees: fees.length, saved: total };
}

const NOTHING = { listings: 0, fees: 0, saved: 0 };
const BOTH_SHOPS = { listings: 2, fees: 2, saved: 1 };
const QUESTION =
  'Activate this listing in "ClayAndOak", "NordLinen"? The marketplace charges 0.40 USD (0.20 USD per shop).';

describe('over HTTP without a handshake', () => {
  const yes = { consent: { action: 'accept', content: { confirm: true } } };
  let client: StatelessClient;

  beforeEach(() => {
    client = createStatelessClient(url, headers, { elicitation: {} });
  });

  const create = (more: object = {}, input: object = request) =>
    client.callTool('listing_create', input as Record<string, unknown>, more as Record<string, unknown>);

  async function ask(input: object = request): Promise<string> {
    const { answer } = await create({}, input);
    expect(answer.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { consent: { method: 'elicitation/create' } },
    });
    return answer.result?.['requestState'] as string;
  }

  it('a call asks with the sum and the shops, and creates on a yes, once', async () => {
    const { answer } = await create();
    expect(answer.result?.['inputRequests']).toMatchObject({ consent: { params: { message: QUESTION } } });
    expect(await count()).toEqual(NOTHING);

    const more = { requestState: answer.result?.['requestState'], inputResponses: yes };
    expect(read(await create(more))).toMatchObject({ status: 'completed' });
    expect(await count()).toEqual(BOTH_SHOPS);

    // The same again, as from a client that lost its answer; then without the reply. A replay does not ask.
    for (const again of [more, {}]) {
      const replayed = read(await create(again));
      expect(replayed.warnings?.map(({ code }) => code)).toContain('replayed');
    }
    // The reply does not work for an intended second listing.
    const { answer: refused } = await create(more, { ...request, idempotency_key: 'second' });
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('requestState') });
    expect(await count()).toEqual(BOTH_SHOPS);
  });

  it('a call creates nothing on a no, on nonsense, or on a reply to another question', async () => {
    const replies = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirm: 'yes' } },
    ];
    for (const [index, consent] of replies.entries()) {
      const received = await create({ requestState: await ask(), inputResponses: { consent } });
      // The first reply comes too fast for a person, so the question may never have been shown.
      const expected = index === 0 ? { status: 'confirmation_required' } : { code: 'ACTIVATION_DECLINED' };
      expect(read(received)).toMatchObject(expected);
    }
    const requestState = await ask();
    const refusals = [
      await create({ requestState: `${requestState}A`, inputResponses: yes }),
      await create({ requestState, inputResponses: { consent: 'yes' } }),
      await create({ requestState, inputResponses: yes }, { ...request, idempotency_key: 'another' }),
    ];
    expect(refusals.map(({ answer }) => answer.error?.code)).toEqual([-32602, -32602, -32602]);
    const unasked = await create({ inputResponses: yes });
    expect(unasked.answer.result).toMatchObject({ resultType: 'input_required' });
    expect(await count()).toEqual(NOTHING);
    // A no leaves everything free: the same call can still be made with a yes.
    expect(read(await create({ requestState, inputResponses: yes }))).toMatchObject({ status: 'completed' });
    expect(await count()).toEqual(BOTH_SHOPS);
  });

  it('publishing a draft asks first, and does not ask if nothing is left to pay', async () => {
    const { listing_pk } = await service.call<{ listing_pk: number }>('listing_create', {
      ...request,
      state: 'draft',
    });
    const publish = (more: Record<string, unknown> = {}) =>
      client.callTool('listing_publish', { listing_pk, state: 'active' }, more);
    const first = await publish();
    const consent = { requestState: first.answer.result?.['requestState'], inputResponses: yes };
    expect(read(await publish(consent))).toMatchObject({ status: 'completed' });
    expect(await count()).toEqual(BOTH_SHOPS);
    // Nothing is left to pay, so no consent is requested.
    expect((await publish()).answer.result).toMatchObject({ resultType: 'complete' });
    expect(await count()).toEqual(BOTH_SHOPS);
  });
});

describe('over stdio with a handshake', () => {
  it('a call asks with the sum and the shops, creates on a yes, and does not ask on a replay', async () => {
    const { client, asked, create } = await open({ action: 'accept', content: { confirm: true } });
    expect(await create()).toMatchObject({ status: 'completed' });
    expect(await create()).toMatchObject({ status: 'completed' });
    expect(asked).toEqual([QUESTION]);
    expect(await count()).toEqual(BOTH_SHOPS);
    await client.close();
  });

  it.each<ElicitResult>([
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { confirm: 'yes' } },
  ])('a call creates nothing on %o', async (reply) => {
    const { client, asked, create } = await open(reply);
    expect(await create()).toMatchObject({ status: 'confirmation_required' });
    expect(await create()).toMatchObject({ code: 'ACTIVATION_DECLINED' });
    expect([asked, await count()]).toEqual([[QUESTION, QUESTION], NOTHING]);
    await client.close();
  });
});

function read({ answer }: Received): Told {
  const [{ text }] = (answer.result?.['content'] ?? [{ text: '{}' }]) as [{ text: string }];
  const answered = JSON.parse(text) as Told & { error?: Told };
  return answered.error ?? answered;
}

async function open(reply: ElicitResult) {
  const asked: string[] = [];
  const client = await connect(
    'v1',
    { service: service.app.service },
    {
      capabilities: { elicitation: {} },
      answer({ message }) {
        asked.push(message);
        return reply;
      },
    },
  );
  const create = async () => {
    const result = await client.callTool({ name: 'listing_create', arguments: request });
    const [{ text }] = result['content'] as [{ text: string }];
    const answered = JSON.parse(text) as Told & { error?: Told };
    return answered.error ?? answered;
  };
  return { client, asked, create };
}
