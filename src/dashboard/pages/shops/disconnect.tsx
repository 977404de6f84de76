import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import { getShopId } from '../../ids.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX, toShopPath } from '../../routes.js';
import { getKept } from './kept.js';

/** Asks for confirmation: only the shop's owner can undo it. */
export const disconnect: Page = {
  path: '/shops/{shop_id}/disconnect',
  is_past_gate: true,
  async get(visit) {
    const { shop_id, details } = await getKept(visit, getShopId(visit));
    return (
      <Confirm
        visit={visit}
        section="Shops"
        title="Disconnect this shop?"
        yes="Disconnect"
        no="Keep it connected"
        back={toShopPath(shop_id)}
      >
        <p>
          <strong>
            <Foreign text={details.shop_name} />
          </strong>
        </p>
        <p>
          The service forgets what it keeps of the shop and the right to act for it. Its listings stay on the
          marketplace and on these pages; a publication that is under way ends there with an error.
        </p>
        <p class="note">
          The marketplace goes on showing the grant in the owner’s account settings, where it can be taken
          away. Connecting the shop again needs its owner.
        </p>
      </Confirm>
    );
  },
  async post(visit) {
    await visit.core.connecting.disconnect({ account_id: visit.account_id, shop_id: getShopId(visit) });
    return redirect(`${PREFIX}/shops`);
  },
};
