import type { Starter } from '../../../core/ports/index.js';
import { Foreign, Time } from '../../../pages/index.js';
import type { OwnVisit } from '../../page.js';

/** Names whoever started a change, in sellers' words; undefined if that is not stored. */
export type NameStarter = (starter: Starter | null | undefined) => string | undefined;

export async function createNameStarter({
  core,
  account_id,
}: Pick<OwnVisit, 'core' | 'account_id'>): Promise<NameStarter> {
  const [keys, grants] = await Promise.all([
    core.accounts.listKeys(account_id),
    core.grants.list(account_id),
  ]);
  return (starter) => {
    if (!starter) return undefined;
    const { face, id, client_name } = starter;
    if (face === 'dashboard') return 'You';
    if (face === 'cli') return 'Command line';
    const grant = grants.find(({ grant_id }) => grant_id === id);
    const key = keys.find(({ key_id }) => key_id === id);
    const isAssistant = face !== 'rest' || grant !== undefined;
    const name = isAssistant ? (client_name ?? grant?.client_name ?? key?.name) : key?.name;
    return `${isAssistant ? 'Assistant' : 'Program'}${name === undefined ? '' : `: ${name}`}`;
  };
}

/** Who started a change, and when. */
export function Made({ who, at }: { who: string | undefined; at: string }) {
  return (
    <>
      {who !== undefined && (
        <>
          <Foreign text={who} />,{' '}
        </>
      )}
      <Time at={at} />
    </>
  );
}
