/** Texts that need not say what to do, each with the reason. */
const ALLOWED: readonly (readonly [text: string, why: string])[] = [
  ['Subscription already ended', 'the contract gives this text word for word'],
  ['Expiration date must be in the future', 'the contract gives this text word for word'],
  ['The client disconnected before the answer was complete.', 'nobody reads it'],
];

/** First words of sentences that say what to do. */
const ADVICE = /^(?:Ask|Choose|Give|Leave|Log|Name|Save|Send|Set|Use|Wait|Write)\b/;

const sentencesIn = (text: string): number =>
  text.split(/[.?!](?:\s|$)/).filter((part) => part.trim() !== '').length;

/** Tells whether the detail of an error says what is wrong, then what to do. */
export const saysWhatToDo = (text: string): boolean =>
  ADVICE.test(text) || sentencesIn(text) > 1 || ALLOWED.some(([allowed]) => allowed === text);
