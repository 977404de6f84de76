import type { Refused } from '../../../core/errors.js';
import { Foreign } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';
import { describeRefusal } from '../../words/refusals.js';

export type RefusedFile = { filename: string; error: Refused };

/** One refused file: its name, the problem, and the fix. */
export function NotTaken({ file: { filename, error } }: { file: RefusedFile }) {
  const { problem, fix } = describe(error);
  return (
    <Notice tone="bad">
      <p data-upload-problem>
        <strong>
          <Foreign text={filename} />
        </strong>{' '}
        <Foreign text={problem} />
      </p>
      {fix !== undefined && (
        <p class="note">
          <Foreign text={fix} />
        </p>
      )}
    </Notice>
  );
}

function describe(error: Refused): { problem: string; fix?: string } {
  const { lines, hint } = describeRefusal(error);
  const { issues = [] } = error;
  if (issues.length === 0) return { problem: `was not kept: ${lines.join(' ')}`, fix: hint };
  const isOtherType = issues.some(({ code }) => code === 'file_type_wrong');
  return { problem: `was not kept. ${lines.join(' ')}`, ...(isOtherType && { fix: OTHER_TYPE }) };
}

const OTHER_TYPE = 'If it is meant to be something else, choose that under “What is it?” and send it again.';
