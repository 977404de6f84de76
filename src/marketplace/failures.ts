import { MarketplaceError } from '../core/ports/index.js';
import type { HttpAnswer } from './http.js';

/** What the marketplace said when it did not do as asked. */
export type Refusal = {
  status: number;
  message: string;
  /** OAuth's word for it, such as invalid_token. */
  oauth_error: string | undefined;
  fields: string[];
  request_id: string | undefined;
};

const MAX_MESSAGE_CHARS = 2_000;

/** Wire names that are not ours. */
const OUR_NAMES: Readonly<Record<string, string>> = { type: 'listing_type', style: 'styles' };

/** Names of creation's fields, as they may stand in a sentence. */
const FIELD_NAMES = [
  'title',
  'description',
  'price',
  'quantity',
  'taxonomy_id',
  'who_made',
  'when_made',
  'is_supply',
  'shipping_profile_id',
  'return_policy_id',
  'readiness_state_id',
  'shop_section_id',
  'production_partner_ids',
  'tags',
  'materials',
  'styles',
  'is_customizable',
  'is_taxable',
  'should_auto_renew',
  'item_weight',
  'item_weight_unit',
  'item_length',
  'item_width',
  'item_height',
  'item_dimensions_unit',
  'processing_min',
  'processing_max',
];

/** Understands the marketplace's three shapes of refusal, and bodies that are none of them. */
export function parseRefusal({ status, headers, text }: HttpAnswer): Refusal {
  const request_id = headers.get('x-etsy-request-uuid') ?? undefined;
  const said = parseBody(text);
  return {
    status,
    request_id,
    ...(said ?? {
      message: `HTTP ${status} with a body that is not JSON`,
      oauth_error: undefined,
      fields: [],
    }),
  };
}

/** A final refusal as an error. 429 and a token that can be refreshed are dealt with before. */
export function toMarketplaceError(refusal: Refusal, is_write: boolean): MarketplaceError {
  const { status, message, fields, request_id } = refusal;
  const failure = classify(refusal, is_write);
  return new MarketplaceError(failure, message, {
    status,
    fields,
    ...(request_id === undefined ? {} : { request_id }),
  });
}

function classify({ status, message, oauth_error }: Refusal, is_write: boolean): MarketplaceError['failure'] {
  if (status >= 500 && status !== 501) return is_write ? 'unknown' : 'unavailable';
  if (status < 400) return is_write ? 'unknown' : 'unavailable';
  if (status === 404) return 'not_found';
  const isAboutKey = /x-api-key|api[ _-]?key|shared secret|application/i.test(message);
  if (status === 401) return isAboutKey && oauth_error === undefined ? 'credentials' : 'reconnect';
  if (status === 403 && (oauth_error === 'insufficient_scope' || /No user was provided/.test(message)))
    return 'reconnect';
  if (status === 403 && isAboutKey) return 'credentials';
  return 'refused';
}

function parseBody(text: string): Pick<Refusal, 'message' | 'oauth_error' | 'fields'> | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (Array.isArray(body)) return parseFieldErrors(body);
  if (body === null || typeof body !== 'object' || !('error' in body) || typeof body.error !== 'string')
    return undefined;
  const description = 'error_description' in body ? body.error_description : undefined;
  const message = cut(typeof description === 'string' ? `${body.error}: ${description}` : body.error);
  const oauth_error = typeof description === 'string' ? body.error : undefined;
  return { message, oauth_error, fields: oauth_error === undefined ? findFields(message) : [] };
}

/** `[{"path": "/tags", "type": ..., "message": ...}]` */
function parseFieldErrors(items: readonly unknown[]): Pick<Refusal, 'message' | 'oauth_error' | 'fields'> {
  const parsed = items.slice(0, 50).flatMap((item) => {
    if (item === null || typeof item !== 'object') return [];
    const path = 'path' in item && typeof item.path === 'string' ? item.path : '';
    const words = 'message' in item && typeof item.message === 'string' ? item.message : 'is not valid';
    return [{ field: path.split('/').find((part) => part !== '') ?? '', line: `${path} ${words}`.trim() }];
  });
  const names = parsed.map(({ field }) => field).filter((field) => field !== '');
  return {
    message: cut(parsed.map(({ line }) => line).join('; ') || 'refused without a reason'),
    oauth_error: undefined,
    fields: [...new Set(names.map((name) => OUR_NAMES[name] ?? name))],
  };
}

function findFields(message: string): string[] {
  return FIELD_NAMES.filter((name) => new RegExp(`(^|[^a-z_])${name}([^a-z_]|$)`, 'i').test(message));
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
}
