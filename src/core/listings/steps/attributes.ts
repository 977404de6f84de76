import type { Warning } from '../../../../schemas/job.js';
import type { ListingAttribute } from '../../ports/index.js';
import { foldValue } from '../rules/text.js';
import { toCallFailed, UPDATE } from '../engine/failures.js';
import { getListingId, type Context } from '../engine/context.js';
import { expectTolerable, runEach } from '../engine/policy.js';
import { readToCompare, readToWrite } from '../engine/read.js';
import type { Write } from '../engine/step.js';
import { write } from '../engine/write.js';

/** Category attributes, each written separately. */
export const attributesStep: Write = {
  isOpen: (cx) => listOpen(cx).length > 0 || listSurplus(cx).length > 0,
  async run(cx) {
    const { ports, shop } = cx;
    for (const { property_id, values } of listSurplus(cx)) {
      await write(
        cx,
        ['attributes'],
        (options) => ports.marketplace.deleteAttribute(shop, getListingId(cx), property_id, options),
        readToCompare(cx, ['attributes'], () =>
          listShown(cx).every((other) => other.property_id !== property_id),
        ),
        () => readToWrite(cx, ['attributes'], 'attributes'),
      );
      keep(cx, property_id, []);
      cx.report(`attribute ${values.join(', ') || property_id} removed`);
    }
    return { warnings: await writeAttributes(cx) };
  },
};

/** Writes the attributes the listing does not have yet; removes none. Returns warnings about refused ones. */
export async function writeAttributes(cx: Context): Promise<Warning[]> {
  const { ports, shop, schedule, policy } = cx;
  const refused = await runEach(cx, listOpen(cx), async (attribute, index): Promise<Warning[]> => {
    await schedule.wait(index);
    const { property_id, values } = attribute;
    try {
      const answer = await write(
        cx,
        ['attributes'],
        (options) => ports.marketplace.updateAttribute(shop, getListingId(cx), attribute, options),
        readToCompare(cx, ['attributes'], () => listShown(cx).some((other) => isSame(attribute, other))),
        () => readToWrite(cx, ['attributes'], 'attributes'),
      );
      const stored = policy.trusts_answers ? answer : attribute;
      if (stored) keep(cx, property_id, [stored]);
      cx.report(`attribute ${values.join(', ') || property_id}`);
      return [];
    } catch (cause) {
      const reason = toCallFailed('attribute', expectTolerable(cx, cause), UPDATE);
      return [{ code: 'attribute_failed', fields: [`category_attributes.${property_id}`], reason }];
    }
  });
  return refused.flat();
}

function listShown({ fresh }: Context): ListingAttribute[] {
  return fresh.attributes ?? [];
}

function listOpen(cx: Context): ListingAttribute[] {
  const { attributes = [] } = cx.target;
  return attributes.filter((wanted) => !listShown(cx).some((known) => isSame(wanted, known)));
}

function listSurplus(cx: Context): ListingAttribute[] {
  const { attributes } = cx.target;
  if (!attributes) return [];
  const wanted = new Set(attributes.map(({ property_id }) => property_id));
  return listShown(cx).filter(({ property_id }) => !wanted.has(property_id));
}

/** Compares names if both have them: the shop may have ids of its own for a value. */
function isSame(wanted: ListingAttribute, known: ListingAttribute): boolean {
  if (wanted.property_id !== known.property_id) return false;
  if ((wanted.scale_id ?? null) !== (known.scale_id ?? null)) return false;
  const isNamed = wanted.values.length > 0 && known.values.length > 0;
  const read = (attribute: ListingAttribute) =>
    isNamed ? attribute.values.map(foldValue) : attribute.value_ids.map(String);
  return JSON.stringify(read(wanted).sort()) === JSON.stringify(read(known).sort());
}

function keep(cx: Context, property_id: number, written: ListingAttribute[]): void {
  const others = listShown(cx).filter((other) => other.property_id !== property_id);
  cx.fresh = { ...cx.fresh, attributes: [...others, ...written] };
}
