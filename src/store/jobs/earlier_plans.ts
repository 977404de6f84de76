import type { Plan, PublishAction } from '../../core/ports/listing/plan.js';

/*
 * Earlier releases stored the parts of a publication in one copy, shared by all shops. Now each shop's action has a complete
 * target of its own. Reading a row converts its plan; the row keeps its form.
 */

type Old = {
  state: 'publish' | 'active';
  batch_id?: string;
  warnings: unknown[];
  shops: OldShop[];
} & OldParts;

type OldParts = {
  images?: { alt_text?: string }[];
  videos?: object[];
  files?: object[];
  attributes?: object[];
  variation_images?: { property_id: number; images: { value: string; image: number }[] };
  personalization?: { is_required: boolean; instructions: string | null; max_chars: number };
};

type OldShop = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  draft: object;
  inventory?: object;
  position?: number;
  warnings: unknown[];
  /** Replaces the shared parts for this shop. */
  own?: OldParts & { warnings: unknown[] };
};

/** A plan of publishing in the present form. @param stored null once it was deleted */
export function toPublishPlan(stored: Plan<PublishAction> | object | null): Plan<PublishAction> | null {
  if (stored === null || 'purpose' in stored) return stored;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- releases have stored these two forms
  return convert(stored as Old) as Plan<PublishAction>;
}

function convert({ batch_id, warnings, shops, ...plan }: Old): object {
  return {
    purpose: 'publish',
    ...(batch_id !== undefined && { batch_id }),
    warnings,
    shops: shops.map(({ draft, inventory, position, own, warnings: found, ...shop }, index) => ({
      ...shop,
      listing_id: null,
      action: {
        kind: 'publish',
        draft,
        target: toTarget(own ?? plan, inventory, plan.state),
        position: position ?? index,
        ...(own && { own_warnings: own.warnings }),
      },
      names: {},
      warnings: found,
    })),
    request: null,
  };
}

function toMedia(file: object): object {
  return { id: null, file };
}

function toTarget(
  { images = [], videos = [], files = [], attributes = [], variation_images, personalization }: OldParts,
  inventory: object | undefined,
  state: Old['state'],
): object {
  return {
    ...(images.length > 0 && {
      images: images.map((file) => ({ ...toMedia(file), alt_text: file.alt_text ?? '' })),
    }),
    ...(videos.length > 0 && { videos: videos.map(toMedia) }),
    ...(files.length > 0 && { files: files.map(toMedia) }),
    ...(variation_images && {
      variation_images: variation_images.images.map(({ value, image }) => ({
        property_id: variation_images.property_id,
        value,
        image: { position: image },
      })),
    }),
    ...(attributes.length > 0 && { attributes }),
    ...(personalization && {
      questions: [
        {
          question_id: null,
          question_type: 'text_input',
          question_text: 'Personalization',
          instructions: personalization.instructions,
          required: personalization.is_required,
          max_allowed_characters: personalization.max_chars,
          max_allowed_files: null,
          options: [],
          add_on_price: null,
        },
      ],
    }),
    ...(inventory && { inventory }),
    ...(state === 'active' && { state }),
  };
}
