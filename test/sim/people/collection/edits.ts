import type { BatchEditKind } from '../../plan.js';
import { PRICE } from '../sale/request.js';
import type { Collecting } from './collecting.js';

const STOCK = 4;
/** One shop section per shop. */
const SECTIONS = [
  { name: 'Vases', shop_section_id: 40_118_204 },
  { name: 'Table Linen', shop_section_id: 44_902_511 },
] as const;

/** The edits of a batch. Their values are unique to this deed, so that a value shows who wrote it. */
export function buildEdits(
  { world: { template }, planned, chance }: Collecting,
  kinds: readonly BatchEditKind[],
  deed: string,
): Record<string, unknown>[] {
  const text = `${planned.number}.${deed}`;
  const elsewhere = planned.shop === 0 ? 1 : 0;
  const { shop_section_id } = SECTIONS[elsewhere];
  const other = { ...template.targets[elsewhere], shop_section_id };
  return kinds.map((kind) => {
    switch (kind) {
      case 'price':
        return {
          field: 'price',
          op: 'increase_percent',
          value: chance.pick([10, 12.5, -5]),
          round_to: chance.pick(['0.01', '0.05', 'x.90', 'x.99']),
        };
      case 'title':
        return { field: 'title', op: 'append', value: `, ${text}` };
      case 'description':
        return { field: 'description', op: 'append', value: ` More ${text}.` };
      case 'tags_add':
        return { field: 'tags', op: 'add', value: [`tag ${text.replaceAll('.', ' ')}`] };
      case 'tags_remove':
        return { field: 'tags', op: 'remove', value: ['mug'] };
      case 'section':
        return {
          field: 'shop_section_id',
          op: 'set',
          value: chance.oneIn(3) ? null : SECTIONS[planned.shop].name,
        };
      case 'quantity':
        return { field: 'quantity', op: 'add', value: chance.between(1, 5) };
      case 'off':
        return { field: 'state', op: 'inactive' };
      case 'on':
        return { field: 'state', op: 'active', stock: STOCK };
      case 'photos_append':
        return { field: 'images', op: 'append', value: [chance.pick(template.photos).url] };
      case 'photos_remove':
        return { field: 'images', op: 'remove', value: [1] };
      case 'photos_text':
        return { field: 'images', op: 'set_alt_text', value: [{ rank: 1, alt_text: `Seen ${text}` }] };
      case 'copy':
        return { field: 'copy', op: 'to', shops: [{ ...other, price: PRICE }] };
    }
  });
}
