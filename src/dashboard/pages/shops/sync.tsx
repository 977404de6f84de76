import type { Clock } from '../../../core/ports/index.js';
import { toRefusal } from '../../operations.js';
import { getShopId } from '../../ids.js';
import type { Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { toShopPath } from '../../routes.js';
import { getKept } from './kept.js';
import { getCounted, Shop } from './show.js';

export function createSync(clock: Clock): Page {
  return {
    path: '/shops/{shop_id}/sync',
    is_outward: true,
    get: (visit) => redirect(toShopPath(getShopId(visit))),
    async post(visit) {
      const shop_id = getShopId(visit);
      // An unknown shop gets an error page of its own.
      await getKept(visit, shop_id);
      const refused = await visit.operations.call('store_sync', { shop_id }).then(() => undefined, toRefusal);
      if (!refused) return redirect(toShopPath(shop_id));
      // The marketplace may have just revoked the grant.
      const shop = await getCounted(visit, shop_id);
      const page = <Shop visit={visit} {...shop} now={clock.now()} refused={refused.error} />;
      return show(page, { status: refused.error.status });
    },
  };
}
