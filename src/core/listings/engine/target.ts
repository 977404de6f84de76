import type { PublishPlan, ShopPlan } from '../../ports/listing/plan.js';
import type { PlannedFile, Target } from '../../ports/listing/target.js';
import type { ListingQuestion, PersonalizationQuestion } from '../../ports/index.js';
import { QUESTION_TEXT } from '../snapshot/compare_words.js';

/** The plan for one of its shops. */
export function toPlanOf(plan: PublishPlan, { own }: ShopPlan): PublishPlan {
  return own ? { ...plan, ...own } : plan;
}

/** The parts that publishing adds to the draft it creates, which may include putting it on sale. */
export function toTarget(plan: PublishPlan, shop_plan: ShopPlan): Target {
  const { images, videos, files, attributes, variation_images, personalization } = toPlanOf(plan, shop_plan);
  const { inventory } = shop_plan;
  return {
    ...(images.length > 0 && {
      images: images.map((file) => ({ ...toMedia(file), alt_text: file.alt_text ?? '' })),
    }),
    ...(videos.length > 0 && { videos: videos.map(toMedia) }),
    ...(files.length > 0 && { files: files.map(toMedia) }),
    ...(inventory && { inventory }),
    ...(variation_images && {
      variation_images: variation_images.images.map(({ value, image: position }) => ({
        property_id: variation_images.property_id,
        value,
        image: { position },
      })),
    }),
    ...(attributes.length > 0 && { attributes }),
    ...(personalization && { questions: [toQuestion(personalization)] }),
    ...(plan.state === 'active' && { state: plan.state }),
  };
}

function toMedia(file: PlannedFile): { id: null; file: PlannedFile } {
  return { id: null, file };
}

function toQuestion({ is_required, instructions, max_chars }: PersonalizationQuestion): ListingQuestion {
  return {
    question_id: null,
    question_type: 'text_input',
    question_text: QUESTION_TEXT,
    instructions,
    required: is_required,
    max_allowed_characters: max_chars,
    max_allowed_files: null,
    options: [],
    add_on_price: null,
  };
}
