import { ServiceError } from '../core/errors.js';
import type { Visit } from './page.js';

/** A whole number of the path. Throws LISTING_NOT_FOUND, since a path that names none names nothing. */
export function getListingPk({ params }: Pick<Visit, 'params'>): number {
  const text = params['listing_pk'] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new ServiceError('LISTING_NOT_FOUND', 'There is no such listing.');
  return Number(text);
}

/** `?offset=`: where a page of a list begins; 0 for anything that is no offset. */
export function getOffset({ request }: Pick<Visit, 'request'>): number {
  const text = request.query.get('offset') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
