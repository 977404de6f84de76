import type { ShippingProfile, ShopLists } from '../../../../schemas/shop.js';
import { formatPrice } from '../../components/price.js';

export function describeDays(min: number, max: number): string {
  if (min === max) return min === 1 ? '1 day' : `${min} days`;
  return `${min} to ${max} days`;
}

export function describeCost({ primary_cost, currency_code }: ShippingProfile): string {
  if (primary_cost === null) return 'not said';
  return Number(primary_cost) === 0 ? 'free' : formatPrice(Number(primary_cost), currency_code ?? undefined);
}

export function describePolicy({
  accepts_returns,
  accepts_exchanges,
  return_deadline,
}: ShopLists['return_policies'][number]): string {
  if (!accepts_returns && !accepts_exchanges) return 'No returns, no exchanges';
  const what = [accepts_returns && 'Returns', accepts_exchanges && 'exchanges'].filter(Boolean).join(' and ');
  const words = what.charAt(0).toUpperCase() + what.slice(1);
  return return_deadline === null ? words : `${words} within ${return_deadline} days`;
}
