import type { ComponentChildren } from 'preact';

type Props = {
  /** The accepted files, in words. */
  children: ComponentChildren;
  /** For the browser's chooser. */
  accept?: string | undefined;
  /** At once; by default one. */
  max_files?: number;
};

/**
 * The inside of a form with a file: the field is as large as a place to drop files on, which browsers understand by
 * themselves, and the script `upload` fills the bar in a form that names its limit in `data-upload`.
 */
export function UploadFields({ children, accept, max_files = 1 }: Props) {
  return (
    <>
      <div class="field">
        <label for="file">{max_files === 1 ? 'File' : 'Files'}</label>
        <input
          type="file"
          id="file"
          name="file"
          class="drop"
          accept={accept}
          multiple={max_files > 1}
          data-max-files={max_files}
          required
          aria-describedby="file-note"
        />
        <p class="note" id="file-note">
          {children}
        </p>
      </div>
      <ul class="upload-progress" data-upload-files hidden />
      <progress data-upload-bar aria-label="Sent" max={1} value={0} hidden />
      <p class="note" role="status" data-upload-status />
      <div>
        <button type="submit">Upload</button>
      </div>
    </>
  );
}
