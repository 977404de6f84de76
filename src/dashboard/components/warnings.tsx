import type { Warning } from '../../../schemas/job.js';
import { Foreign } from '../../pages/index.js';
import { renderFactForSeller, writeText } from '../../core/issues/render.js';

/** Hides price_override_unused: the editor keeps unused prices for variations that are added later. */
export function listShown<One extends { code: string }>(warnings: readonly One[]): One[] {
  return warnings.filter(({ code }) => code !== 'price_override_unused');
}

/** Warnings, one sentence each; harmless defaults are shown less prominently. */
export function Warnings({ warnings: all }: { warnings: readonly Warning[] }) {
  const warnings = listShown(all);
  const notes = warnings.filter(({ level }) => level === 'note');
  const serious = warnings.filter(({ level }) => level !== 'note');
  return (
    <>
      {serious.length > 0 && (
        <div class="notice" data-tone="wait">
          <p>
            <strong>{serious.length === 1 ? 'Worth knowing' : `Worth knowing (${serious.length})`}</strong>
          </p>
          <Reasons warnings={serious} />
        </div>
      )}
      {notes.length > 0 && <Reasons warnings={notes} variant="notes" />}
    </>
  );
}

function Reasons({ warnings, variant }: { warnings: readonly Warning[]; variant?: 'notes' }) {
  return (
    <ul class={variant}>
      {warnings.map(({ code, fields, reason }) => (
        <li key={code + fields.join()}>
          <Foreign text={writeText(renderFactForSeller(reason, fields[0]))} />
        </li>
      ))}
    </ul>
  );
}
