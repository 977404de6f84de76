import { prepareMug } from '../harness/mug.mjs';

/* Something breaks in the middle: the service, the marketplace, the way between them. */

export default [
  ...['create.after_call', 'images.after_commit', 'activate.after_call'].map((point) => ({
    name: `the service dies at ${point}`,
    environment: { FAIL_POINT: point },
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant, startAnother }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const first = await assistant.call('listing_create', request);
      if (!first.broken) throw new Error('it did not die');
      const next = await startAnother({ environment: {} });
      const { results } = await next.ask('listing_create', request);
      if (!results.every(({ status }) => status === 'ok')) throw new Error(JSON.stringify(results));
    },
  })),
  {
    name: 'is killed while it works',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant, startAnother }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const onprogress = ({ progress }) => progress >= 3 && assistant.kill();
      const first = await assistant.call('listing_create', request, { onprogress });
      if (!first.broken) throw new Error('it was not killed in time');
      const next = await startAnother();
      await next.ask('listing_create', request);
    },
  },
  {
    name: "the marketplace's answer is lost",
    intent: { live: 1, fees: 1, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant);
      for (const operation of ['createDraftListing', 'updateListing']) {
        await world.addFault({ operation, times: 1, action: { type: 'commit_then_reset' } });
      }
      await assistant.ask('listing_create', request);
    },
  },
  {
    name: 'one shop fails, and is finished',
    intent: { live: 2, fees: 2, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const { shop_id } = request.shops[1];
      await world.addFault({
        operation: 'createDraftListing',
        shop_id,
        times: 1,
        action: { type: 'status', status: 400, body: { error: 'Not today.' } },
      });
      const { listing_pk, results } = await assistant.ask('listing_create', request);
      const failed = results.filter(({ status }) => status === 'error').map(({ shop_name }) => shop_name);
      if (failed.join() !== 'NordLinen') throw new Error(`failed: ${failed.join()}`);
      await assistant.ask('listing_publish', { listing_pk, state: 'active' });
    },
  },
];
