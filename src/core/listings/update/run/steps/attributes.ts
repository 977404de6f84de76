import type { ListingAttribute } from '../../../../ports/index.js';
import { foldValue } from '../../../publish/steps/read_back.js';
import { getTarget, writeOnce, type Changing, type ChangeStep } from '../changing.js';
import { expectNoDrift } from '../drift_check.js';
import { readParts } from '../read.js';

/** Category attributes, each in a write of its own. */
export const attributesStep: ChangeStep = {
  name: 'attributes',
  isNeeded: (changing) => listOpen(changing).length > 0 || listSurplus(changing).length > 0,
  async run(changing) {
    const { ports, shop, update } = changing;
    for (const { property_id, values } of listSurplus(changing)) {
      await writeOnce(
        changing,
        ['attributes'],
        (options) => ports.marketplace.deleteAttribute(shop, update.listing_id, property_id, options),
        async () => {
          await readParts(changing, ['attributes']);
          return !listShown(changing).some((other) => other.property_id === property_id);
        },
        () => lookAgain(changing),
      );
      keep(changing, property_id, []);
      changing.report(`attribute ${values.join(', ') || property_id} removed`);
    }
    await writeAttributes(changing);
  },
};

/** Writes the attributes that the listing does not have yet, and removes none. */
export async function writeAttributes(changing: Changing): Promise<void> {
  const { ports, shop, update } = changing;
  for (const attribute of listOpen(changing)) {
    await writeOnce(
      changing,
      ['attributes'],
      (options) => ports.marketplace.updateAttribute(shop, update.listing_id, attribute, options),
      async () => {
        await readParts(changing, ['attributes']);
        return listShown(changing).some((other) => isSame(attribute, other));
      },
      () => lookAgain(changing),
    );
    keep(changing, attribute.property_id, [attribute]);
    changing.report(`attribute ${attribute.values.join(', ') || attribute.property_id}`);
  }
}

async function lookAgain(changing: Changing): Promise<void> {
  await readParts(changing, ['attributes']);
  expectNoDrift(changing, { attributes: changing.fresh.attributes });
}

function listShown({ fresh }: Changing): ListingAttribute[] {
  return fresh.attributes ?? [];
}

function listOpen(changing: Changing): ListingAttribute[] {
  const { attributes = [] } = getTarget(changing);
  return attributes.filter((wanted) => !listShown(changing).some((known) => isSame(wanted, known)));
}

function listSurplus(changing: Changing): ListingAttribute[] {
  const { attributes } = getTarget(changing);
  if (!attributes) return [];
  const wanted = new Set(attributes.map(({ property_id }) => property_id));
  return listShown(changing).filter(({ property_id }) => !wanted.has(property_id));
}

/** By name where there are names: the shop may have ids of its own for a value. */
function isSame(wanted: ListingAttribute, known: ListingAttribute): boolean {
  if (wanted.property_id !== known.property_id) return false;
  if ((wanted.scale_id ?? null) !== (known.scale_id ?? null)) return false;
  const isNamed = wanted.values.length > 0 && known.values.length > 0;
  const read = (attribute: ListingAttribute) =>
    isNamed ? attribute.values.map(foldValue) : attribute.value_ids.map(String);
  return JSON.stringify(read(wanted).sort()) === JSON.stringify(read(known).sort());
}

function keep(changing: Changing, property_id: number, written: ListingAttribute[]): void {
  const others = listShown(changing).filter((other) => other.property_id !== property_id);
  changing.fresh = { ...changing.fresh, attributes: [...others, ...written] };
}
