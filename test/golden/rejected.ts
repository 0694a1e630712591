/** Cases that contradict the specification, each with the sentence it breaks. They are not run. */
export const rejected: Readonly<Record<string, string>> = {};
