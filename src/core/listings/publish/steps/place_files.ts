import type { ListingFile } from '../../../ports/index.js';
import type { PlannedFile } from '../plan.js';
import type { ShopProgress } from '../progress.js';

/**
 * The files of a progress by position in the plan. Earlier releases saved a list, out of which a lost file fell, so that those after it
 * moved up: each of a list goes to the first free place of its name and size, or else stays where it is in the list.
 */
export function placeFiles(
  files: ShopProgress['files'] | ListingFile[],
  planned: readonly PlannedFile[],
): ShopProgress['files'] {
  if (!Array.isArray(files)) return files;
  const placed: ShopProgress['files'] = {};
  const unplaced: [number, ListingFile][] = [];
  for (const [index, file] of files.entries()) {
    const place = planned.findIndex(
      ({ filename, size_bytes }, position) =>
        !placed[position] && filename === file.filename && size_bytes === file.size_bytes,
    );
    if (place === -1) unplaced.push([index, file]);
    else placed[place] = file;
  }
  for (const [index, file] of unplaced) placed[index] ??= file;
  return placed;
}
