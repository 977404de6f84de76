import type { PublishJob } from '../../ports/index.js';
import type { PlannedFile } from '../../ports/listing/target.js';

/** The files that a job of a listing sent, or was to send; none if its plan was deleted. */
export function listPlannedFiles(job: PublishJob | undefined): PlannedFile[] {
  const files = (job?.plan?.shops ?? []).flatMap(({ action: { target } }) =>
    [...(target.images ?? []), ...(target.videos ?? []), ...(target.files ?? [])].flatMap(
      ({ file }) => file ?? [],
    ),
  );
  return [...new Map(files.map((file) => [`${file.sha256} ${file.url}`, file])).values()];
}
