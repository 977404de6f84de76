import { quoteName } from '../../text/foreign.js';
import { MarketplaceError, type ListingTranslation } from '../../ports/index.js';
import type { Changing } from '../engine/context.js';
import type { ChangeStep } from '../engine/step.js';
import { write } from '../engine/write.js';
import { readParts, readToCompare } from '../engine/read.js';

/** Translations: those of the target, or those that a new title or taking the listing off sale removed. */
export const translationsStep: ChangeStep = {
  name: 'translations',
  work: 'translations',
  is_restoring: true,
  isOpen: (changing) => listOpen(changing).length > 0,
  async run(changing) {
    for (const translation of listOpen(changing)) {
      await writeTranslation(changing, translation);
      const others = listShown(changing).filter(({ language }) => language !== translation.language);
      changing.fresh = { ...changing.fresh, translations: [...others, translation] };
      changing.report(`translation ${quoteName(translation.language)}`);
    }
  },
};

/**
 * Creating and changing a translation are different calls, and no other write's response says for sure whether one
 * exists.
 */
async function writeTranslation(changing: Changing, translation: ListingTranslation): Promise<void> {
  const { language } = translation;
  const isShown = listShown(changing).some((known) => known.language === language);
  try {
    await send(changing, translation, isShown);
  } catch (cause) {
    const isRefused = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
    if (!isRefused) throw cause;
    await readParts(changing, ['listing', 'translations']);
    const known = listShown(changing).find((other) => other.language === language);
    if (known && isSame(translation, known)) return;
    if ((known !== undefined) === isShown) throw cause;
    await send(changing, translation, !isShown);
  }
}

async function send(changing: Changing, translation: ListingTranslation, isShown: boolean): Promise<void> {
  const { ports, shop, update } = changing;
  await write(
    changing,
    ['translations', 'listing'],
    (options) =>
      ports.marketplace.writeTranslation(shop, update.listing_id, translation, { exists: isShown }, options),
    readToCompare(changing, ['listing', 'translations'], () =>
      listOpen(changing).every(({ language }) => language !== translation.language),
    ),
  );
}

function listShown({ fresh }: Changing): ListingTranslation[] {
  return fresh.translations ?? [];
}

function listOpen(changing: Changing): ListingTranslation[] {
  const wanted = changing.target.translations ?? changing.progress.before?.translations ?? [];
  return wanted.filter((translation) => !listShown(changing).some((known) => isSame(translation, known)));
}

function isSame(a: ListingTranslation, b: ListingTranslation): boolean {
  return (
    a.language === b.language &&
    a.title === b.title &&
    a.description === b.description &&
    String(a.tags) === String(b.tags)
  );
}
