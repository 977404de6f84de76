import type { WorkPorts } from '../publish_job.js';
import type { KindRunner } from '../run_job.js';

/** @param stopping ends what is under way where nothing is lost */
export function createImportRunner(ports: WorkPorts, stopping: AbortSignal): KindRunner<'import'> {
  void [ports, stopping];
  return async () => {
    throw new Error('not there yet');
  };
}
