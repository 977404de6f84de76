/** A job that a seller has, in the words to give to an assistant. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Ids of the operations it speaks of: without one of them it is not offered. */
  needs: readonly string[];
  /** @param given the arguments that came; required ones are there */
  build(given: Readonly<Record<string, string>>): string;
};

export type PromptArgument = {
  name: string;
  description: string;
  required: boolean;
  /** What its value is a name of. `shops`: several, with commas between them. */
  completes?: 'shops' | 'category';
};
