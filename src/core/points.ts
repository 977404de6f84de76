import { DELIVERY_POINTS } from './webhooks/deliveries/points.js';
import { IMPORT_POINTS, type ImportPoint } from './listings/import/points.js';
import { LISTING_POINTS, type ListingPoint } from './listings/points.js';
import { ORDER_POINTS, type OrderPoint } from './orders/points.js';

/** A named place at which a crash test may end the process. */
export type FailPoint = ListingPoint | ImportPoint | (typeof DELIVERY_POINTS)[number] | OrderPoint;

export const FAIL_POINTS: readonly FailPoint[] = [
  ...LISTING_POINTS,
  ...IMPORT_POINTS,
  ...DELIVERY_POINTS,
  ...ORDER_POINTS,
];
