import type { Core } from '../../../core/core.js';
import type { Clock } from '../../../core/ports/index.js';
import type { Page } from '../../page.js';
import { bringIn } from './bring_in.js';
import { chooseShops } from './choose_shops.js';
import { createConnect } from './connect.js';
import { disconnect } from './disconnect.js';
import { createShops } from './list.js';
import { createShop } from './show.js';
import { createSync } from './sync.js';

type ShopPagesParts = { core: Core; clock: Clock; base_url: string; docs_url: string; is_pasted: boolean };

/** Pages of an account's shops: their lists, connecting, syncing and disconnecting. */
export function createShopPages({ core, clock, ...addresses }: ShopPagesParts): Page[] {
  return [
    createShops(core.connecting, clock),
    createConnect(core.connecting, addresses),
    createShop(clock),
    createSync(clock),
    bringIn,
    chooseShops,
    disconnect,
  ];
}
