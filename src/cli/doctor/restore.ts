import type { FolderInspection } from '../../store/index.js';
import { ok, type Check } from './check.js';

/** The database is a backup that was put in place: what was made after it is unknown here, and stays so. */
export function checkRestore({
  restore,
}: Extract<FolderInspection['database'], { state: 'sound' }>): Check[] {
  if (!restore) return [];
  const { backed_up_at, restored_at } = restore;
  if (restored_at === null) {
    const message = `service.db is a backup of ${backed_up_at}; the next start restores it.`;
    return [ok('restore', message)];
  }
  return [
    ok(
      'restore',
      `Restored at ${restored_at} from a backup of ${backed_up_at}. What was made in between is unknown here.`,
      'Look in the shops for listings of that time before you list their products again.',
    ),
  ];
}
