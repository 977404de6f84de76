import type { Warning } from '../../../schemas/job.js';
import { Foreign } from '../../pages/index.js';

/** What is worth knowing, a sentence each. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <div class="notice" data-tone="wait">
      <p>
        <strong>{warnings.length === 1 ? 'Worth knowing' : `Worth knowing (${warnings.length})`}</strong>
      </p>
      <ul>
        {warnings.map(({ code, fields, reason }) => (
          <li key={code + fields.join()}>
            <Foreign text={reason} />
          </li>
        ))}
      </ul>
    </div>
  );
}
