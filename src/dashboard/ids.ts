import type { ErrorCode } from '../../schemas/error.js';
import type { Fact } from '../../schemas/issue.js';
import { ServiceError } from '../core/errors.js';
import type { Visit } from './page.js';

type Params = Pick<Visit, 'params'>;

/** Throws LISTING_NOT_FOUND if the path has no valid id. */
export function getListingPk({ params }: Params): number {
  return readNumber(params['listing_pk'], 'LISTING_NOT_FOUND', {
    code: 'listing_not_found',
    params: { newest: [], total: 0 },
  });
}

/** Throws STORE_NOT_FOUND if the path has no valid id. */
export function getShopId({ params }: Params): number {
  return readNumber(params['shop_id'], 'STORE_NOT_FOUND', {
    code: 'shop_not_found',
    params: { connected: [] },
  });
}

/** Throws DELIVERY_NOT_FOUND if the path has no valid id. */
export function getDeliveryId({ params }: Params): number {
  return readNumber(params['delivery_id'], 'DELIVERY_NOT_FOUND', {
    code: 'delivery_not_found',
    params: { newest: [], total: 0 },
  });
}

function readNumber(text: string | undefined, code: ErrorCode, problem: Fact): number {
  if (!/^[1-9]\d{0,14}$/.test(text ?? '')) throw new ServiceError(code, problem);
  return Number(text);
}

/** `?offset=`: where a page of a list begins; 0 if it is not a valid offset. */
export function getOffset({ request }: Pick<Visit, 'request'>): number {
  const text = request.query.get('offset') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
