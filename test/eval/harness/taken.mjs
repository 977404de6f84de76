import { isDeepStrictEqual } from 'node:util';
import { describeFound, describeWanted, toObjects } from './described.mjs';

/*
 * The rule for every listing_create of a recording: the result is what dry_run said. A request called valid
 * is sent, accepted in every shop without new warnings, and is on the marketplace as requested; an invalid
 * one is refused in the same words.
 */

/** Errors about this call itself, not about the requested listing. */
const OF_THE_CALL = /^(ACTIVATION_DECLINED|VALIDATION_FAILED confirm: )/;

/**
 * Sends a request after checking it with dry_run; a request that is a dry_run itself is published if it is
 * called valid, even a draft. Returns the assistant's answer. `send`: makes the assistant's own call.
 */
export async function createAsChecked({ assistant, world }, input, send = assistant.call) {
  const { dry_run, ...request } = input;
  const checked = await assistant.call('listing_create', { ...input, dry_run: true });
  if (dry_run === true && !checked.answer) return checked;
  const answered = await send('listing_create', request);
  if (answered.error && OF_THE_CALL.test(describe(answered))) return answered;
  if (describe(answered) !== describe(checked)) {
    throw new Error(`dry_run: ${describe(checked)}; then: ${describe(answered)}`);
  }
  if (!answered.answer || answered.answer.status === 'confirmation_required') return answered;
  let published = answered.answer;
  if (published.status === 'draft' && dry_run === true) {
    const { listing_pk } = published;
    published = await assistant.ask('listing_publish', { listing_pk, state: 'publish' });
  }
  if (published.status !== 'draft') {
    const predicted = listWarnings(checked.answer);
    expectPredicted(published, predicted);
    await expectThere(world, toObjects(request), published, predicted);
  }
  return dry_run === true ? checked : answered;
}

function describe({ answer, error }) {
  if (answer) return 'valid';
  return error ? `${error.code} ${error.message}` : 'no answer';
}

/** The warnings beyond harmless defaults, as "code path". */
export function listWarnings({ warnings = [], shops = [], results = [] }) {
  const all = [...warnings, ...[...shops, ...results].flatMap((one) => one.warnings ?? [])];
  const lines = all
    .filter(({ level }) => level !== 'note')
    .flatMap(({ code, fields }) => (fields.length > 0 ? fields.map((field) => `${code} ${field}`) : [code]));
  return [...new Set(lines)];
}

function expectPredicted({ results }, predicted) {
  const failed = results.find(({ status }) => status !== 'ok');
  if (failed) throw new Error(`called valid, then: ${failed.error ?? failed.status}`);
  const isPredicted = (line) => predicted.some((one) => getPath(one).startsWith(getPath(line)));
  const later = listWarnings({ results }).filter((line) => !isPredicted(line));
  if (later.length > 0) throw new Error(`called valid, then warned of ${later.join(', ')}`);
}

const getPath = (line) => line.split(' ')[1] ?? '';

/**
 * Compares every shop's listing as requested with the marketplace's, except for fields that a warning put in
 * doubt.
 */
async function expectThere(world, request, { results }, predicted) {
  const { listings } = await world.readState();
  for (const { shop_id, listing_id } of results) {
    const listing = listings.find((one) => one.listing_id === listing_id);
    if (!listing) throw new Error(`called valid, and not on the marketplace in ${shop_id}`);
    const found = describeFound(listing);
    for (const [key, wanted] of Object.entries(describeWanted(request, Number(shop_id)))) {
      const isAtRisk = predicted.some((line) => line.startsWith(`marketplace_limit ${key}`));
      if (isAtRisk || isDeepStrictEqual(wanted, found[key])) continue;
      throw new Error(`${key}: ${JSON.stringify(found[key])} instead of ${JSON.stringify(wanted)}`);
    }
  }
}
