type Props = {
  text: string;
  /** The button's text. */
  label: string;
  /** Names the text that the button copies, for screen readers, if several buttons have the same text. */
  about?: string;
};

/** Text to be copied as a whole: one click selects it, and the script `copy` adds a button next to it. */
export function Copyable({ text, label, about }: Props) {
  return (
    <p class="copyable row" data-copy={label} data-copy-about={about}>
      <code>{text}</code>
    </p>
  );
}
