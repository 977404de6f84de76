import type { ComponentChildren } from 'preact';

type Props = {
  /** What may be chosen, in words. */
  children: ComponentChildren;
  /** For the browser's chooser. */
  accept?: string | undefined;
};

/**
 * The inside of a form with a file: the field is as large as a place to drop files on, which browsers understand by
 * themselves, and the script `upload` fills the bar in a form that names its limit in `data-upload`.
 */
export function UploadFields({ children, accept }: Props) {
  return (
    <>
      <div class="field">
        <label for="file">File</label>
        <input
          type="file"
          id="file"
          name="file"
          class="drop"
          accept={accept}
          required
          aria-describedby="file-note"
        />
        <p class="note" id="file-note">
          {children}
        </p>
      </div>
      <progress data-upload-bar aria-label="Sent" max={1} value={0} hidden />
      <p class="note" role="status" data-upload-status />
      <div>
        <button type="submit">Upload</button>
      </div>
    </>
  );
}
