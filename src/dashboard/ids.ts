import type { ErrorCode } from '../../schemas/error.js';
import { ServiceError } from '../core/errors.js';
import type { Visit } from './page.js';

type Params = Pick<Visit, 'params'>;

/** Throws LISTING_NOT_FOUND for a path that names none. */
export function getListingPk({ params }: Params): number {
  return readNumber(params['listing_pk'], 'LISTING_NOT_FOUND', 'There is no such listing.');
}

/** Throws STORE_NOT_FOUND for a path that names none. */
export function getShopId({ params }: Params): number {
  return readNumber(params['shop_id'], 'STORE_NOT_FOUND', 'There is no such shop.');
}

/** Throws DELIVERY_NOT_FOUND for a path that names none. */
export function getDeliveryId({ params }: Params): number {
  return readNumber(params['delivery_id'], 'DELIVERY_NOT_FOUND', 'There is no such delivery.');
}

function readNumber(text: string | undefined, code: ErrorCode, message: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text ?? '')) throw new ServiceError(code, message);
  return Number(text);
}

/** `?offset=`: where a page of a list begins; 0 for anything that is no offset. */
export function getOffset({ request }: Pick<Visit, 'request'>): number {
  const text = request.query.get('offset') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
