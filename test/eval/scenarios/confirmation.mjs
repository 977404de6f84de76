import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareMug } from '../harness/mug.mjs';

/* Assistants that cannot show a question: what they do with the token that stands for the seller's yes. */

const LIVE_ONCE = { live: 1, fees: 1, saved: 1 };
const SLOW = { operation: 'createDraftListing', times: 1, action: { type: 'slow', ms: 2_000 } };
const LATER = pathToFileURL(join(import.meta.dirname, '..', 'harness', 'later.mjs')).href;

async function askFor(assistant, tool, input) {
  const { answer, error } = await assistant.send(tool, input);
  if (answer?.status !== 'confirmation_required') throw new Error(answer?.status ?? error?.message);
  return answer;
}

/** The call is refused for its token, and for nothing else that is wrong with it. */
async function expectRefused(assistant, tool, input) {
  const { answer, error } = await assistant.send(tool, input);
  if (!error?.message.includes('confirm: ')) throw new Error(answer?.status ?? error.message);
}

async function expectLive(assistant, tool, input) {
  const { answer, error } = await assistant.send(tool, input);
  const is_live = answer?.results?.every(({ status, activated }) => status === 'ok' && activated);
  if (!is_live) throw new Error(error?.message ?? JSON.stringify(answer));
  return answer.job_id;
}

export default [
  {
    name: 'tells the sum and the shops, and confirms after the yes',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const { confirm_token: confirm, cost_usd, shops } = await askFor(assistant, 'listing_create', request);
      const told = `${cost_usd} USD: ${shops.map(({ shop_name }) => shop_name).join(', ')}`;
      if (told !== '0.4 USD: ClayAndOak, NordLinen') throw new Error(told);
      if ((await world.readState()).listings.length > 0) throw new Error('something was made before the yes');
      await expectLive(assistant, 'listing_create', { ...request, confirm });
    },
  },
  {
    name: 'the seller never says yes',
    intent: { saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { listing_pk } = await assistant.ask('listing_create', { ...request, state: 'draft' });
      for (const confirm of [undefined, true, 1]) {
        await askFor(assistant, 'listing_create', { ...request, confirm });
        await askFor(assistant, 'listing_publish', { listing_pk, state: 'active', confirm });
      }
      for (const confirm of ['yes', 'true', '']) {
        await expectRefused(assistant, 'listing_create', { ...request, confirm });
      }
    },
  },
  {
    name: 'confirms a draft that is to go live, and calls once more',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant, { shops: 2, state: 'draft' });
      const { listing_pk } = await assistant.ask('listing_create', request);
      const input = { listing_pk, state: 'active' };
      const { confirm_token: confirm } = await askFor(assistant, 'listing_publish', input);
      await expectLive(assistant, 'listing_publish', { ...input, confirm });
      await expectLive(assistant, 'listing_publish', { ...input, confirm });
    },
  },
  {
    name: 'confirms, gives up waiting, and confirms again',
    intent: LIVE_ONCE,
    async run({ assistant, world }) {
      const request = await prepareMug(assistant);
      const { confirm_token: confirm } = await askFor(assistant, 'listing_create', request);
      await world.addFault(SLOW);
      const confirmed = { ...request, confirm };
      const first = await assistant.send('listing_create', confirmed, { patience_ms: 500 });
      if (!first.gave_up) throw new Error('the marketplace was not slow');
      const job_id = await expectLive(assistant, 'listing_create', confirmed);
      if ((await expectLive(assistant, 'listing_create', request)) !== job_id) throw new Error('another job');
    },
  },
  {
    name: 'a token that was made up, or changed',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { confirm_token: confirm } = await askFor(assistant, 'listing_create', request);
      for (const forged of ['a'.repeat(confirm.length), confirm.slice(1), `${confirm}A`]) {
        await expectRefused(assistant, 'listing_create', { ...request, confirm: forged });
      }
      await expectLive(assistant, 'listing_create', { ...request, confirm });
    },
  },
  {
    name: 'one yes for two listings',
    intent: { ...LIVE_ONCE, saved: 2 },
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { listing_pk } = await assistant.ask('listing_create', { ...request, state: 'draft' });
      const { confirm_token: confirm } = await askFor(assistant, 'listing_create', request);
      const dearer = { ...request, listing: { ...request.listing, price: 99 } };
      await expectRefused(assistant, 'listing_create', { ...dearer, confirm });
      await expectRefused(assistant, 'listing_publish', { listing_pk, state: 'active', confirm });
      await expectLive(assistant, 'listing_create', { ...request, confirm });
      await expectRefused(assistant, 'listing_create', { ...request, idempotency_key: 'one-more', confirm });
    },
  },
  {
    name: "another seller's assistant with the token",
    face: 'http',
    intent: LIVE_ONCE,
    async run({ assistant, startAnother }) {
      const request = await prepareMug(assistant, { is_remote: true });
      const { confirm_token: confirm } = await askFor(assistant, 'listing_create', request);
      const stranger = await startAnother({ account: 'stranger' });
      await expectRefused(stranger, 'listing_create', { ...request, confirm });
      await expectLive(assistant, 'listing_create', { ...request, confirm });
    },
  },
  {
    name: 'a yes that comes eleven minutes later',
    intent: LIVE_ONCE,
    async run({ assistant, startAnother }) {
      const request = await prepareMug(assistant);
      const { confirm_token: confirm } = await askFor(assistant, 'listing_create', request);
      const environment = { NODE_OPTIONS: `--import ${LATER}`, LATER_MS: String(11 * 60_000) };
      const later = await startAnother({ environment });
      await expectRefused(later, 'listing_create', { ...request, confirm });
      const { confirm_token: fresh } = await askFor(later, 'listing_create', request);
      await expectLive(later, 'listing_create', { ...request, confirm: fresh });
    },
  },
  {
    name: 'two assistants on one folder confirm, with three tokens at once',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant, startAnother }) {
      const other = await startAnother();
      const request = await prepareMug(assistant, { shops: 2 });
      const tokens = [];
      for (const each of [assistant, other, assistant]) {
        tokens.push((await askFor(each, 'listing_create', request)).confirm_token);
      }
      const calls = tokens.flatMap((confirm) =>
        [assistant, other].map((each) => expectLive(each, 'listing_create', { ...request, confirm })),
      );
      const jobs = new Set(await Promise.all(calls));
      if (jobs.size > 1) throw new Error(`${jobs.size} jobs`);
    },
  },
];
