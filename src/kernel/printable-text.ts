/** Characters that a terminal obeys instead of showing them, and those that reverse the direction of what follows. */
const OBEYED = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes characters that a terminal obeys as escapes of JSON, so that a name can neither move the cursor nor begin a line
 * of its own. In JSON the value stays the same.
 */
export const onOneLine = (text: string): string => text.replace(OBEYED, escaped);

/** Does the same for text of several lines. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (character) => (character === '\n' ? character : escaped(character)));
