import { prepareMug } from '../harness/mug.mjs';

/* Money is spent after the seller has said yes, once, and within the allowed limits. */

export default [
  {
    name: 'the seller says no, then yes',
    answers: [false, true],
    intent: { live: 1, fees: 1, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { error } = await assistant.call('listing_create', request);
      if (error?.code !== 'ACTIVATION_DECLINED') throw new Error(`not declined: ${error?.code}`);
      await assistant.ask('listing_create', request);
    },
  },
  {
    name: 'a client that cancels each question on its own, and a seller who says yes in the chat',
    dismisses: true,
    intent: { live: 1, fees: 1, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { answer, error } = await assistant.send('listing_create', request);
      if (answer?.status !== 'confirmation_required') throw new Error(`no token: ${error?.code}`);
      if (!answer.message.includes('dismissed')) throw new Error(answer.message);
      await assistant.ask('listing_create', { ...request, confirm: answer.confirm_token });
    },
  },
  {
    name: 'a client that cancels each question on its own, and no yes',
    dismisses: true,
    intent: {},
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      await assistant.send('listing_create', request);
      const { error } = await assistant.send('listing_create', request);
      if (error?.code !== 'ACTIVATION_DECLINED') throw new Error(`not declined: ${error?.code}`);
    },
  },
  {
    name: 'a seller who reads the question and says no',
    answers: [false],
    intent: {},
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { answer, error } = await assistant.send('listing_create', request);
      if (error?.code !== 'ACTIVATION_DECLINED') throw new Error(`not declined: ${answer?.status}`);
    },
  },
  {
    name: 'activation asked for twice',
    answers: [true],
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant, { shops: 2, state: 'draft' });
      const { listing_pk } = await assistant.ask('listing_create', request);
      for (const state of ['active', 'active', 'publish']) {
        await assistant.ask('listing_publish', { listing_pk, state });
      }
    },
  },
  {
    name: 'a limit of one activation a day',
    environment: { MAX_ACTIVATIONS_PER_DAY: '1' },
    intent: { drafts: 2, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const { error } = await assistant.call('listing_create', request);
      if (!error?.message.includes('use state publish'))
        throw new Error(`not told what to do: ${error?.message}`);
      await assistant.ask('listing_create', { ...request, state: 'publish' });
    },
  },
  {
    name: 'a read-only server',
    environment: { READ_ONLY: 'on' },
    intent: {},
    async run({ assistant }) {
      const tools = await assistant.listTools();
      if (tools.includes('listing_create') || !tools.includes('stores_list')) throw new Error(tools.join());
      // An assistant may still know the tool from yesterday.
      const { error } = await assistant.call('listing_create', { shops: [], listing: {} });
      if (!error) throw new Error('it was not refused');
    },
  },
  {
    name: 'more calls than the limit allows, over HTTP',
    face: 'http',
    environment: { RATE_LIMIT_PER_SECOND: '2' },
    intent: { drafts: 1, saved: 1 },
    async run({ assistant }) {
      const first = await Promise.all(Array.from({ length: 4 }, () => assistant.call('stores_list')));
      if (!first.some(({ error }) => error?.code === 'RATE_LIMIT_SECOND'))
        throw new Error('no limit was met');
      const { stores } = await assistant.persist('stores_list', {});
      const shop_id = Number(stores[0].shop_id);
      const listing = {
        title: 'Oak board',
        description: 'Oiled.',
        listing_type: 'physical',
        taxonomy_id: 1062,
      };
      const bare = {
        state: 'publish',
        shops: [{ shop_id }],
        listing: { ...listing, price: 40, quantity: 1 },
      };
      await assistant.persist('listing_create', bare, { names: ['Heavy parcel'] });
    },
  },
];
