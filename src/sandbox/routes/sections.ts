import { toSection, toSections } from '../answers/shop.js';
import { NO_CONTENT, ok, toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { getPathId, requireFields } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { getOwnShop, getShop } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { takeId } from '../store/sequences.js';
import { listSections } from '../store/shop-settings.js';
import type { Section } from '../store/shop-settings.js';
import { countCharacters } from '../requests/fields.js';

const MAX_SECTIONS = 20;
const MAX_TITLE = 24;

export const SECTION_ROUTES: readonly Route[] = [
  {
    operation: 'getShopSections',
    method: 'GET',
    path: '/shops/:shop_id/sections',
    scopes: [],
    run: (call) => toList(toSections(call.db, getShop(call))),
  },
  {
    operation: 'getShopSection',
    method: 'GET',
    path: '/shops/:shop_id/sections/:shop_section_id',
    scopes: [],
    run: (call) => ok(toSection(call.db, getShop(call), getSection(call))),
  },
  {
    operation: 'createShopSection',
    method: 'POST',
    path: '/shops/:shop_id/sections',
    scopes: ['shops_w'],
    body: 'form',
    run: (call) => {
      const shop = getOwnShop(call);
      const title = getTitle(call);
      const known = listSections(call.db, shop.shop_id);
      if (known.length >= MAX_SECTIONS) {
        throw buildRefusal(400, `A shop has at most ${MAX_SECTIONS} sections.`);
      }
      const section: Section = {
        shop_section_id: takeId(call.db, 'section'),
        shop_id: shop.shop_id,
        title,
        rank: Math.max(0, ...known.map((other) => other.rank)) + 1,
      };
      call.db.run(
        'INSERT INTO sections VALUES (?,?,?,?)',
        section.shop_section_id,
        shop.shop_id,
        title,
        section.rank,
      );
      return ok(toSection(call.db, shop, section));
    },
  },
  {
    operation: 'updateShopSection',
    method: 'PUT',
    path: '/shops/:shop_id/sections/:shop_section_id',
    scopes: ['shops_w'],
    body: 'form',
    run: (call) => {
      const shop = getOwnShop(call);
      const section = getSection(call);
      const title = getTitle(call);
      call.db.run('UPDATE sections SET title = ? WHERE shop_section_id = ?', title, section.shop_section_id);
      return ok(toSection(call.db, shop, { ...section, title }));
    },
  },
  {
    operation: 'deleteShopSection',
    method: 'DELETE',
    path: '/shops/:shop_id/sections/:shop_section_id',
    scopes: ['shops_w'],
    run: (call) => {
      const shop = getOwnShop(call);
      const { shop_section_id } = getSection(call);
      call.db.run('DELETE FROM sections WHERE shop_section_id = ?', shop_section_id);
      call.db.run(
        `UPDATE listings SET fields = json_set(fields, '$.shop_section_id', NULL)
           WHERE shop_id = ? AND fields ->> '$.shop_section_id' = ?`,
        shop.shop_id,
        shop_section_id,
      );
      return NO_CONTENT;
    },
  },
];

function getSection(call: Call): Section {
  const shop_section_id = getPathId(call, 'shop_section_id');
  const section = listSections(call.db, getPathId(call, 'shop_id')).find(
    (candidate) => candidate.shop_section_id === shop_section_id,
  );
  if (!section) throw buildRefusal(404, VERBATIM.not_found);
  return section;
}

function getTitle(call: Call): string {
  requireFields(call.fields, ['title']);
  const title = call.fields.get('title') ?? '';
  if (countCharacters(title) > MAX_TITLE) {
    throw buildRefusal(400, `A section title has at most ${MAX_TITLE} characters.`);
  }
  return title;
}
