import type { ErrorBody } from '../../../../schemas/error.js';
import { Foreign } from '../../../pages/index.js';
import { Notice } from '../../components/notice.js';

export type RefusedFile = { filename: string; error: ErrorBody['error'] };

/** One refused file: its name, the problem, and the fix. */
export function NotTaken({ file: { filename, error } }: { file: RefusedFile }) {
  const is_about_it = error.message.startsWith(ITS_PATH);
  return (
    <Notice tone="bad">
      <p data-upload-problem>
        <strong>
          <Foreign text={filename} />
        </strong>{' '}
        {!is_about_it && 'was not kept: '}
        <Foreign text={is_about_it ? error.message.slice(ITS_PATH.length) : error.message} />
      </p>
      {!is_about_it && (
        <p class="note">
          <Foreign text={error.hint} />
        </p>
      )}
    </Notice>
  );
}

/** How the operation's words begin when they are about the file. */
const ITS_PATH = 'file: ';
