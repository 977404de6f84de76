import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../../src/webhooks/intake/message.js';

const URL_OF_ORDER = 'https://api.etsy.com/v3/application/shops/42/receipts/7';
const build = (fields: object = {}) => ({
  event_type: 'order.paid',
  resource_url: URL_OF_ORDER,
  shop_id: 42,
  ...fields,
});
const PAID = { shop_id: 42, receipt_id: 7, told: 'paid' };

describe('a message from the marketplace about an order', () => {
  it.each([
    ['as it comes today', build()],
    ['with the shop as a text', build({ shop_id: '42' })],
    ['without the shop', build({ shop_id: undefined })],
    ['with the older name of the event', build({ event_type: 'ORDER_PAID' })],
    ['from its other host', build({ resource_url: URL_OF_ORDER.replace('api.', 'openapi.') })],
    [
      'from a host that is not its own, which is never called',
      build({ resource_url: 'http://10.0.0.1/shops/42/receipts/7' }),
    ],
    ['with something behind the address', build({ resource_url: `${URL_OF_ORDER}/?legacy=1#x` })],
    ['nested, as older ones were', { event_type: 'order.paid', data: build({ event_type: undefined }) }],
    ['nested, with the event inside', { data: build() }],
    ['with fields of next year', build({ more: { deep: true } })],
  ])('names the order: %s', (_what, message) => {
    expect(parseMessage(message)).toEqual({ order: PAID });
  });

  it.each(['canceled', 'shipped', 'delivered'])('reads the event type order.%s', (told) => {
    expect(parseMessage(build({ event_type: `order.${told}` }))).toEqual({ order: { ...PAID, told } });
  });

  it.each([
    ['another event', build({ event_type: 'shop.updated' })],
    ['an event of a listing', build({ event_type: 'listing.created' })],
    ['another shop than its address', build({ shop_id: 43 })],
    ['an address of something else', build({ resource_url: 'https://api.etsy.com/v3/application/shops/42' })],
    ['an invalid number', build({ resource_url: URL_OF_ORDER.replace('/7', '/7x') })],
    ['a number beyond all numbers', build({ resource_url: URL_OF_ORDER.replace('/7', '/9007199254740993') })],
    ['no address', build({ resource_url: undefined })],
    ['nothing', {}],
    ['a text', 'order.paid'],
    ['null', null],
    ['a list', [build()]],
  ])('names no order: %s', (_what, message) => {
    expect(parseMessage(message)).toBeUndefined();
  });
});

const API = 'https://api.etsy.com/v3/application';
const LISTING = { listing: { shop_id: 42, listing_id: 9 } };

function buildUpdate(path: string, fields: object = {}) {
  return { event_type: 'listing.updated', resource_url: API + path, shop_id: 42, ...fields };
}

describe('a message about a listing', () => {
  it.each([
    'inventory.created',
    'inventory.updated',
    'inventory.deleted',
    'inventory.out_of_stock',
    'listing.created',
    'listing.updated',
    'listing.deleted',
    'LISTING_UPDATED',
    'INVENTORY_OUT_OF_STOCK',
  ])('names the listing: %s', (event_type) => {
    expect(parseMessage(buildUpdate('/listings/9', { event_type }))).toEqual(LISTING);
  });

  it.each([
    ['the listing', buildUpdate('/listings/9')],
    ['the listing in its shop', buildUpdate('/shops/42/listings/9')],
    ['its shop in the address alone', buildUpdate('/shops/42/listings/9', { shop_id: undefined })],
    ['its inventory', buildUpdate('/listings/9/inventory')],
    ['a product', buildUpdate('/listings/9/inventory/products/77')],
    ['the shop as a text', buildUpdate('/listings/9/', { shop_id: '42' })],
    [
      'a host that is never called',
      buildUpdate('', { resource_url: 'http://169.254.169.254/listings/9?x=/listings/8' }),
    ],
  ])('names it by the URL of %s', (_what, message) => {
    expect(parseMessage(message)).toEqual(LISTING);
  });

  it.each([
    ['two shops', buildUpdate('/shops/43/listings/9')],
    ['no shop', buildUpdate('/listings/9', { shop_id: undefined })],
    ['two listings', buildUpdate('/listings/8/listings/9')],
    ['no listing', buildUpdate('/shops/42')],
    ['an order', buildUpdate('/shops/42/receipts/9')],
    ['an invalid number', buildUpdate('/listings/9x')],
    ['a number beyond all numbers', buildUpdate('/listings/9007199254740993')],
    ['another event of listings', buildUpdate('/listings/9', { event_type: 'listing.favored' })],
    ['an event of orders', buildUpdate('/listings/9', { event_type: 'order.paid' })],
  ])('names no listing with %s', (_what, message) => {
    expect(parseMessage(message)).toBeUndefined();
  });
});
