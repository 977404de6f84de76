import { describeListing } from '../answers/associations.js';
import { toList } from '../requests/call.js';
import type { Answer, Call, Route } from '../requests/call.js';
import { parseChoice, parseDecimal, parseInteger, parsePage } from '../requests/fields.js';
import { SORT_ORDERS, toSqlOrder } from '../rules/choices.js';
import type { SqlValue } from '../store/database.js';
import { listListings } from '../store/listings.js';
import { listBranchIds } from '../taxonomy.js';

const SORTS = ['created', 'price', 'updated', 'score'] as const;

type Filter = { conditions: string[]; values: SqlValue[] };

export const SEARCH_ROUTES: readonly Route[] = [
  {
    operation: 'findAllListingsActive',
    method: 'GET',
    path: '/listings/active',
    scopes: [],
    run: (call) => {
      const filter = addKeywords(call, { conditions: [`state = 'active'`], values: [] });
      return answer(call, addPrices(call, addCategory(call, addPlace(call, filter))));
    },
  },
];

function answer(call: Call, filter: Filter): Answer {
  const page = parsePage(call.query);
  const { count, listings } = listListings(
    call.db,
    filter.conditions,
    filter.values,
    page,
    parseOrder(call, filter),
  );
  return toList(
    listings.map((listing) => describeListing(call, listing, false)),
    count,
  );
}

// As on Etsy, sort_on needs a filter, and sort_order does not apply to score, which here means newest first.
function parseOrder(call: Call, filter: Filter): string {
  const sort_on = parseChoice(call.query, 'sort_on', SORTS) ?? 'created';
  const direction = toSqlOrder(parseChoice(call.query, 'sort_order', SORT_ORDERS));
  const isSearch = filter.conditions.length > 1;
  if (!isSearch || sort_on === 'score') return 'created_at DESC, listing_id DESC';
  const column = { created: 'created_at', price: 'price_amount', updated: 'updated_at' }[sort_on];
  return `${column} ${direction}, listing_id DESC`;
}

function addKeywords(call: Call, filter: Filter): Filter {
  const words = (call.query.get('keywords') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return {
    conditions: [...filter.conditions, ...words.map(() => 'instr(search_text, ?) > 0')],
    values: [...filter.values, ...words],
  };
}

function addPrices(call: Call, filter: Filter): Filter {
  const least = parseDecimal(call.query, 'min_price') ?? null;
  const most = parseDecimal(call.query, 'max_price') ?? null;
  return {
    conditions: [
      ...filter.conditions,
      ...(least === null ? [] : ['price_amount >= ?']),
      ...(most === null ? [] : ['price_amount <= ?']),
    ],
    values: [
      ...filter.values,
      ...[least, most].flatMap((price) => (price === null ? [] : [Math.round(price * 100)])),
    ],
  };
}

function addCategory(call: Call, filter: Filter): Filter {
  const taxonomy_id = parseInteger(call.query, 'taxonomy_id') ?? null;
  if (taxonomy_id === null) return filter;
  return {
    conditions: [...filter.conditions, 'taxonomy_id IN (SELECT value FROM json_each(?))'],
    values: [...filter.values, JSON.stringify(listBranchIds(taxonomy_id))],
  };
}

function addPlace(call: Call, filter: Filter): Filter {
  const place = call.query.get('shop_location') ?? '';
  if (place === '') return filter;
  return {
    conditions: [
      ...filter.conditions,
      `shop_id IN (SELECT shop_id FROM shops WHERE data ->> '$.country_iso' = ? COLLATE NOCASE)`,
    ],
    values: [...filter.values, place],
  };
}
