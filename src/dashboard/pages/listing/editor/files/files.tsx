import { Foreign } from '../../../../../pages/index.js';
import { toFileName } from '../../../../components/file_address.js';
import { Part, Problem, Step, type Filled } from '../inputs.js';
import { KEPT_FILES, MOST_FILES } from './kept_files.js';

type Props = { form: Filled; action: string };

/** Files that buyers of a digital listing download. */
export function Files(props: Props) {
  const isFull = props.form.values.getAll('digital').length >= MOST_FILES;
  return (
    <FilePart
      {...props}
      field="digital_file"
      step="file"
      title="Files that buyers download"
      note={`Up to ${MOST_FILES} files of at most 20 MB each.`}
      {...(!isFull && { label: 'Add files' })}
      upload="Upload files"
    />
  );
}

/** The listing's video. Another one replaces it. */
export function Video(props: Props) {
  const isReplacing = props.form.values.has('video');
  return (
    <FilePart
      {...props}
      field="video_file"
      step="video"
      title="Video"
      note="MP4 or MOV, 3 to 15 seconds long, without sound, at most 100 MB."
      label={isReplacing ? 'Replace the video' : 'Add a video'}
      upload="Upload the video"
      accept="video/mp4,video/quicktime"
    />
  );
}

type FilePartProps = Props & {
  field: 'digital_file' | 'video_file';
  step: string;
  title: string;
  note: string;
  /** Undefined if no more files can be added. */
  label?: string;
  upload: string;
  accept?: string;
};

/** The names of the files that were kept, and a field for more. */
function FilePart({ form, action, field, step, title, note, label, upload, accept }: FilePartProps) {
  const { name, part, most } = KEPT_FILES[field];
  const files = form.values.getAll(name);
  return (
    <Part id={part} title={title}>
      <Problem id={part} problems={form.problems} />
      {files.length > 0 && (
        <ul class="lines">
          {files.map((url) => (
            <li class="row" key={url}>
              <input type="hidden" name={name} value={url} />
              <Foreign text={toFileName(url)} />
              <Step step={`${step}-remove ${url}`} at={part} action={action} about={toFileName(url)}>
                Remove
              </Step>
            </li>
          ))}
        </ul>
      )}
      {label !== undefined && (
        <div class="field">
          <label for={field}>{label}</label>
          <input
            type="file"
            id={field}
            name={field}
            class="drop"
            accept={accept}
            multiple={most > 1}
            data-press={`${step}-add`}
            aria-describedby={`${field}-note`}
          />
          <p class="note" id={`${field}-note`}>
            {note}
          </p>
          <p>
            <Step step={step} at={part} action={action} id={`${step}-add`} auto>
              {upload}
            </Step>
          </p>
        </div>
      )}
    </Part>
  );
}
