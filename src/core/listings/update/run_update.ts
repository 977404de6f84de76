import type { WorkPorts } from '../publish_job.js';
import type { KindRunner } from '../run_job.js';
import type { Settings } from '../../settings.js';

/** @param stopping ends what is under way where nothing is lost */
export function createUpdateRunner(
  ports: WorkPorts,
  settings: Pick<Settings, 'reconcile_settle_ms'>,
  stopping: AbortSignal,
): KindRunner<'update'> {
  void [ports, stopping, settings];
  return async () => {
    throw new Error('not there yet');
  };
}
