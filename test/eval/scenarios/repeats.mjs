import { prepareMug } from '../harness/mug.mjs';

/* The same call more than once: out of impatience, by accident, or on purpose. */

const SLOW = { operation: 'createDraftListing', times: 1, action: { type: 'slow', ms: 2_000 } };

export default [
  {
    name: 'gives up waiting and calls again',
    intent: { live: 1, fees: 1, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant);
      await world.addFault(SLOW);
      const first = await assistant.call('listing_create', request, { patience_ms: 500 });
      if (!first.gave_up) throw new Error('the marketplace was not slow');
      await assistant.ask('listing_create', request);
    },
  },
  {
    name: 'gives up over HTTP and uploads the photo anew',
    face: 'http',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant, world }) {
      const { images, ...request } = await prepareUploaded(assistant);
      await world.addFault(SLOW);
      const first = await assistant.call('listing_create', { ...request, images }, { patience_ms: 500 });
      if (!first.gave_up) throw new Error('the marketplace was not slow');
      const { images: again } = await prepareUploaded(assistant);
      await assistant.ask('listing_create', { ...request, images: again });
    },
  },
  {
    name: 'is told to ask for the job, and asks',
    environment: { MCP_WAIT_SECONDS: '1' },
    intent: { live: 1, fees: 1, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant);
      await world.addFault(SLOW);
      const { status, job_id } = await assistant.ask('listing_create', request);
      if (status !== 'processing') throw new Error(`answered ${status}`);
      for (let asked = 0; asked < 200; asked += 1) {
        const job = await assistant.ask('listing_create_status', { job_id });
        if (job.status === 'completed') return;
        await world.pause(200);
      }
      throw new Error('the job never ended');
    },
  },
  {
    name: 'five identical calls at once',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant, { shops: 2 });
      await Promise.all(Array.from({ length: 5 }, () => assistant.ask('listing_create', request)));
    },
  },
  {
    name: 'two assistants on one folder, the same call at once',
    intent: { live: 1, fees: 1, saved: 1 },
    async run({ assistant, startAnother }) {
      const other = await startAnother();
      const request = await prepareMug(assistant);
      await Promise.all([assistant, other].map((each) => each.ask('listing_create', request)));
    },
  },
  {
    name: 'the same call twice',
    intent: { drafts: 1, saved: 1 },
    async run({ assistant }) {
      const request = await prepareMug(assistant, { state: 'publish' });
      const first = await assistant.ask('listing_create', request);
      const second = await assistant.ask('listing_create', request);
      if (second.job_id !== first.job_id) throw new Error('another job');
    },
  },
  {
    name: 'a second one on purpose',
    intent: { drafts: 2, saved: 2, copies: 2 },
    async run({ assistant }) {
      const request = await prepareMug(assistant, { state: 'publish' });
      await assistant.ask('listing_create', request);
      await assistant.ask('listing_create', { ...request, idempotency_key: 'one-more' });
    },
  },
];

/** Over HTTP a file comes as bytes. */
async function prepareUploaded(assistant) {
  return prepareMug(assistant, { shops: 2, is_remote: true });
}
