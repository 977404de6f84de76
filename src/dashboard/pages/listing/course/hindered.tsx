import { Foreign } from '../../../../pages/index.js';
import { Notice, Refusal } from '../../../components/notice.js';
import type { RefusedError } from '../../../operations.js';
import { Dashboard } from '../../../layout.js';
import type { Framing } from '../../../page.js';
import { toListingPath } from '../../../routes.js';
import type { Detail } from '../detail.js';
import { Obstacles, type Obstacle } from './obstacles.js';

type Props = {
  visit: Framing;
  detail: Detail;
  title: string;
  obstacles?: readonly Obstacle[];
  refused?: RefusedError | undefined;
};

/** Shown instead of a question that would be refused: the reason, and where to go. */
export function Hindered({ visit, detail, title, obstacles = [], refused }: Props) {
  const href = toListingPath(detail.listing_pk);
  return (
    <Dashboard visit={visit} title={`${title}: ${detail.title}`} section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={href}>
            <Foreign text={detail.title} />
          </a>
        </p>
        <h1>{title}</h1>
      </div>
      {refused && <Refusal error={refused.error} />}
      {obstacles.length > 0 && (
        <Notice tone="bad">
          <Obstacles obstacles={obstacles} />
        </Notice>
      )}
      <p>Nothing was done, and nothing was paid.</p>
      <p>
        <a class="button quiet" href={href}>
          Back to the listing
        </a>
      </p>
    </Dashboard>
  );
}
