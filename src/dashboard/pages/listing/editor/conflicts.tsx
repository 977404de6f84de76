import { Foreign } from '../../../../pages/index.js';
import { Notice } from '../../../components/notice.js';
import { PREFIX } from '../../../routes.js';
import { Step } from './inputs.js';
import { readTextOf, toPartLabel, type PartName } from './parts.js';
import type { Values } from './values.js';

type Props = {
  parts: readonly PartName[];
  saved: Values;
  action: string;
  /** See describeConflict; undefined without conflicts. */
  reason: string | undefined;
  /** Whether this is the form of a new listing, which has since been created. */
  isNew: boolean;
};

export const CONFLICTS = 'conflicts';

export function describeConflict(isNew: boolean, isDraft: boolean): string {
  if (isNew) return 'You have already saved this listing, and it has changed since.';
  return `This ${isDraft ? 'draft' : 'listing'} was changed in another window or by your assistant.`;
}

/**
 * Parts that both the seller and someone else changed. The form has the seller's version; the other one is
 * shown here and can be adopted.
 */
export function Conflicts({ parts, saved, action, reason, isNew }: Props) {
  if (reason === undefined) return null;
  return (
    <Notice tone="bad">
      <p id={CONFLICTS} tabIndex={-1}>
        {reason} Your latest changes are not saved. The form has your values, and these are the saved ones:
      </p>
      <dl class="facts">
        {parts.map((part) => (
          <>
            <dt>{toPartLabel(part)}</dt>
            <dd class="stack tight">
              <span class="pre-line">
                <Foreign text={readTextOf(saved, part)} />
              </span>
              <span>
                <Step step={`take ${part}`} at="editor-top" action={action} about={`of ${toPartLabel(part)}`}>
                  Use the saved value
                </Step>
              </span>
            </dd>
          </>
        ))}
      </dl>
      <p>To replace them with yours, save again.</p>
      {isNew && (
        <p>
          <Step step="another" at="editor-top" action={`${PREFIX}/listings/new`}>
            Make another listing from this form
          </Step>
        </p>
      )}
    </Notice>
  );
}
