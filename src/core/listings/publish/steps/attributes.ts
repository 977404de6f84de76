import type { Warning } from '../../../../../schemas/job.js';
import { MarketplaceError } from '../../../ports/index.js';
import { describeFailure, toStepError, isCutOff, writeRepeatably } from './attempt.js';
import { getListingId, type Step } from './step.js';

/** Category attributes, each in a write of its own that may be repeated. One that is refused is a warning. */
export const attributesStep: Step = {
  name: 'attributes',
  needs: ['create', 'files'],
  isNeeded: (plan) => plan.attributes.length > 0,
  listLeft: () => ['category_attributes'],
  countReports: (plan) => plan.attributes.length,
  countCalls: (plan) => plan.attributes.length,
  async run(publishing) {
    const { plan, shop, ports, schedule } = publishing;
    const warnings = await Promise.all(
      plan.attributes.map(async (attribute, index): Promise<Warning | undefined> => {
        await schedule.wait(index);
        try {
          const stored = await writeRepeatably(publishing, () =>
            ports.marketplace.updateAttribute(shop, getListingId(publishing), attribute),
          );
          if (stored) publishing.told.attributes = [...(publishing.told.attributes ?? []), stored];
          publishing.report(`attribute ${attribute.values.join(', ') || attribute.property_id}`);
          return undefined;
        } catch (cause) {
          if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
            throw toStepError(cause, 'The attributes could not be set');
          }
          const fields = [`category_attributes.${attribute.property_id}`];
          return {
            code: 'attribute_failed',
            fields,
            reason: `Not set: ${describeFailure(cause, 'listing_update')}.`,
          };
        }
      }),
    );
    return { warnings: warnings.filter((warning) => warning !== undefined) };
  },
};
