import { describe, expect, it } from 'vitest';
import { parseListingMessage, parseMessage } from '../../../src/webhooks/intake/message.js';

const URL_OF_ORDER = 'https://api.etsy.com/v3/application/shops/42/receipts/7';
const build = (fields: object = {}) => ({
  event_type: 'order.paid',
  resource_url: URL_OF_ORDER,
  shop_id: 42,
  ...fields,
});
const PAID = { shop_id: 42, receipt_id: 7, told: 'paid' };

describe('a message of the marketplace', () => {
  it.each([
    ['as it comes today', build()],
    ['with the shop as a text', build({ shop_id: '42' })],
    ['without the shop', build({ shop_id: undefined })],
    ['with the older name of the event', build({ event_type: 'ORDER_PAID' })],
    ['from its other host', build({ resource_url: URL_OF_ORDER.replace('api.', 'openapi.') })],
    [
      'from a host that is not its own, which nobody asks',
      build({ resource_url: 'http://10.0.0.1/shops/42/receipts/7' }),
    ],
    ['with something behind the address', build({ resource_url: `${URL_OF_ORDER}/?legacy=1#x` })],
    ['nested, as older ones were', { event_type: 'order.paid', data: build({ event_type: undefined }) }],
    ['nested, with the event inside', { data: build() }],
    ['with fields of next year', build({ more: { deep: true } })],
  ])('names an order: %s', (_what, message) => {
    expect(parseMessage(message)).toEqual(PAID);
  });

  it.each(['canceled', 'shipped', 'delivered'])('of %s', (told) => {
    expect(parseMessage(build({ event_type: `order.${told}` }))).toEqual({ ...PAID, told });
  });

  it.each([
    ['another event', build({ event_type: 'listing.created' })],
    ['another shop than its address', build({ shop_id: 43 })],
    ['an address of something else', build({ resource_url: 'https://api.etsy.com/v3/application/shops/42' })],
    ['a number that is none', build({ resource_url: URL_OF_ORDER.replace('/7', '/7x') })],
    ['a number beyond all numbers', build({ resource_url: URL_OF_ORDER.replace('/7', '/9007199254740993') })],
    ['no address', build({ resource_url: undefined })],
    ['nothing', {}],
    ['a text', 'order.paid'],
    ['null', null],
    ['a list', [build()]],
  ])('names none: %s', (_what, message) => {
    expect(parseMessage(message)).toBeUndefined();
  });
});

describe('a message about a listing', () => {
  const URL_OF_LISTING = 'https://api.etsy.com/v3/application/listings/77';
  const told = (fields: object = {}) =>
    build({ event_type: 'listing.updated', resource_url: URL_OF_LISTING, ...fields });
  const CHANGED = { shop_id: 42, listing_id: 77 };

  it.each([
    ['as it comes', told()],
    [
      'of a product of it',
      told({ event_type: 'inventory.out_of_stock', resource_url: `${URL_OF_LISTING}/inventory/products/5` }),
    ],
    ['under the shop', told({ resource_url: URL_OF_LISTING.replace('listings', 'shops/42/listings') })],
    ['nested', { event_type: 'listing.deleted', data: told({ event_type: undefined }) }],
  ])('names it: %s', (_what, message) => {
    expect(parseListingMessage(message)).toEqual(CHANGED);
    expect(parseMessage(message)).toBeUndefined();
  });

  it.each([
    ['an order', build()],
    ['no shop', told({ shop_id: undefined })],
    ['no number', told({ resource_url: `${URL_OF_LISTING}x` })],
    ['nothing', null],
  ])('is none with %s', (_what, message) => {
    expect(parseListingMessage(message)).toBeUndefined();
  });
});
