import type { ErrorBody } from '../../../../schemas/error.js';
import { describeWrongFile, Foreign } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';
import { describeRefusal } from '../../words/refusals.js';

export type RefusedFile = { filename: string; error: ErrorBody['error'] };

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

function describe(error: ErrorBody['error']): { problem: string; fix?: string } {
  const wrong = error.code === 'QUOTA_EXCEEDED' ? undefined : describeWrongFile(error.message);
  if (wrong === undefined) {
    const { lines, hint } = describeRefusal(error);
    return { problem: `was not kept: ${lines.join(' ')}`, fix: hint };
  }
  // A sentence of its own, such as "The file's name must end in one of ...".
  const problem = /^[A-Z]/.test(wrong.problem) ? `was not kept: ${wrong.problem}` : wrong.problem;
  return wrong.isOtherType ? { problem, fix: OTHER_TYPE } : { problem };
}

const OTHER_TYPE = 'If it is meant to be something else, choose that under “What is it?” and send it again.';
