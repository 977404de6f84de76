import { quoteName } from '../../text/foreign.js';
import { MarketplaceError, type ListingTranslation } from '../../ports/index.js';
import { getListingId, type Context } from '../engine/context.js';
import type { Step } from '../engine/step.js';
import { write } from '../engine/write.js';
import { readParts, readToCompare } from '../engine/read.js';

/** Translations: those of the target, or those that a new title or taking the listing off sale removed. */
export const translationsStep: Step = {
  name: 'translations',
  work: 'translations',
  is_restoring: true,
  isOpen: (cx) => listOpen(cx).length > 0,
  async run(cx) {
    for (const translation of listOpen(cx)) {
      await writeTranslation(cx, translation);
      const others = listShown(cx).filter(({ language }) => language !== translation.language);
      cx.fresh = { ...cx.fresh, translations: [...others, translation] };
      cx.report(`translation ${quoteName(translation.language)}`);
    }
  },
};

/**
 * Creating and changing a translation are different calls, and no other write's response says for sure whether one
 * exists.
 */
async function writeTranslation(cx: Context, translation: ListingTranslation): Promise<void> {
  const { language } = translation;
  const isShown = listShown(cx).some((known) => known.language === language);
  try {
    await send(cx, translation, isShown);
  } catch (cause) {
    const isRefused = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
    if (!isRefused) throw cause;
    await readParts(cx, ['listing', 'translations']);
    const known = listShown(cx).find((other) => other.language === language);
    if (known && isSame(translation, known)) return;
    if ((known !== undefined) === isShown) throw cause;
    await send(cx, translation, !isShown);
  }
}

async function send(cx: Context, translation: ListingTranslation, isShown: boolean): Promise<void> {
  const { ports, shop } = cx;
  await write(
    cx,
    ['translations', 'listing'],
    (options) =>
      ports.marketplace.writeTranslation(shop, getListingId(cx), translation, { exists: isShown }, options),
    readToCompare(cx, ['listing', 'translations'], () =>
      listOpen(cx).every(({ language }) => language !== translation.language),
    ),
  );
}

function listShown({ fresh }: Context): ListingTranslation[] {
  return fresh.translations ?? [];
}

function listOpen(cx: Context): ListingTranslation[] {
  const wanted = cx.target.translations ?? cx.change.before?.translations ?? [];
  return wanted.filter((translation) => !listShown(cx).some((known) => isSame(translation, known)));
}

function isSame(a: ListingTranslation, b: ListingTranslation): boolean {
  return (
    a.language === b.language &&
    a.title === b.title &&
    a.description === b.description &&
    String(a.tags) === String(b.tags)
  );
}
