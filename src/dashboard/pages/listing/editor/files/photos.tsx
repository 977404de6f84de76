import type { ComponentChildren } from 'preact';
import { cleanForeign } from '../../../../../core/text/foreign.js';
import { Foreign } from '../../../../../pages/index.js';
import { toFileName, toPreview } from '../../../../components/file_address.js';
import { Part, Problem, Step, mark, type Filled } from '../inputs.js';
import { MOST_PHOTOS } from './kept_files.js';
import { readPhotos } from '../values.js';

type Props = {
  form: Filled;
  action: string;
  /** The address of a photo that is not an upload; undefined if it has none. */
  findPhoto: (url: string) => string | undefined;
};

/** Photos in their order. Without scripts, buttons move them. */
export function Photos({ form, action, findPhoto }: Props) {
  const photos = readPhotos(form.values);
  return (
    <Part id="photos-part" title="Photos">
      <p class="note">
        {photos.length} of {MOST_PHOTOS}. The first one is the main photo.
      </p>
      <Problem id="photos-part" problems={form.problems} />
      {photos.length > 0 && (
        <ol class="photo-list" data-photos>
          {photos.map(({ url, alt }, place) => (
            <li key={url} id={`photo_${place}`} tabIndex={-1}>
              <input type="hidden" name="photo" value={url} />
              <img
                class="photo"
                src={toPreview(url) ?? findPhoto(url)}
                alt={alt === '' ? '' : cleanForeign(alt)}
                width={160}
                height={160}
                data-drag
                draggable={false}
              />
              <div class="stack tight">
                <p class="note">
                  {place === 0 && <strong>Main photo. </strong>}
                  <Foreign text={toFileName(url)} />
                </p>
                <div class="field">
                  <label for={`alt_${place}`}>Alt text of photo {place + 1}</label>
                  <input
                    {...mark(`alt_${place}`, form.problems)}
                    name="photo_alt"
                    type="text"
                    value={alt}
                    autocomplete="off"
                  />
                </div>
                <Problem id={`photo_${place}`} problems={form.problems} />
                <div class="row">
                  {place > 0 && (
                    <>
                      <Move step="photo-main" {...{ url, place, action }} words="Make main" />
                      <Move
                        step="photo-up"
                        {...{ url, place, action }}
                        words={<Way row="Move left" column="Move up" />}
                      />
                    </>
                  )}
                  {place < photos.length - 1 && (
                    <Move
                      step="photo-down"
                      {...{ url, place, action }}
                      words={<Way row="Move right" column="Move down" />}
                    />
                  )}
                  <Move step="photo-remove" {...{ url, place, action }} words="Remove" />
                </div>
              </div>
            </li>
          ))}
        </ol>
      )}
      {photos.length < MOST_PHOTOS && (
        <div class="field">
          <label for="file">Add photos</label>
          <input
            type="file"
            id="file"
            name="file"
            class="drop"
            accept="image/*"
            multiple
            data-press="photos-add"
            aria-describedby="file-note"
          />
          <p class="note" id="file-note">
            Choose several at once: JPG, PNG, GIF, HEIC, WebP or AVIF.
          </p>
          <p>
            <Step step="photos" at="photos-part" action={action} id="photos-add" auto>
              Upload photos
            </Step>
          </p>
        </div>
      )}
    </Part>
  );
}

/** A phone shows one photo per row. */
function Way({ row, column }: { row: string; column: string }) {
  return (
    <>
      <span class="in-row">{row}</span>
      <span class="in-column">{column}</span>
    </>
  );
}

type MoveProps = { step: string; url: string; place: number; action: string; words: ComponentChildren };

function Move({ step, url, place, action, words }: MoveProps) {
  return (
    <Step
      step={`${step} ${url}`}
      at="photos-part"
      action={action}
      about={`photo ${place + 1}`}
      id={`${step}-${place}`}
    >
      {words}
    </Step>
  );
}
