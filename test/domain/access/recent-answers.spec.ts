import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentAnswers, type BoundedAnswer } from '../../../src/access/queries/recent-answers.js';
import { instant } from '../../../src/kernel/instant.js';

interface Answer {
  readonly terms: readonly string[];
}

const AT = instant('2026-01-10T00:00:00Z');
const UNTIL = instant('2026-02-01T00:00:00Z');
const answer: Answer = { terms: ['one'] };

/** The clock of the machine stands, as answers count for a second. */
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(10_000));
afterEach(() => void jest.restoreAllMocks());

function remembered(changes: Partial<BoundedAnswer<Answer>> = {}, readAt = performance.now()) {
  const answers = new RecentAnswers<Answer>();
  answers.note('question', { answer, lastChange: 7, at: AT, until: UNTIL, ...changes }, readAt);
  return answers;
}

describe('recent answers', () => {
  it('an answer counts for its question, at its instant and up to its next boundary, exclusive', () => {
    for (const now of [AT, instant('2026-01-31T23:59:59.999999Z')])
      expect(remembered().find('question', 7, now)).toBe(answer);
    expect(remembered().find('question', 7, UNTIL)).toBeUndefined();
    expect(remembered().find('another', 7, AT)).toBeUndefined();
  });

  it('without a boundary an answer counts at any later instant, and never at an earlier one', () => {
    expect(remembered({ until: null }).find('question', 7, instant('2030-01-01T00:00:00Z'))).toBe(answer);
    expect(remembered().find('question', 7, instant('2026-01-09T23:59:59.999999Z'))).toBeUndefined();
  });

  it('an answer from before the last change of the organization does not count', () => {
    expect(remembered().find('question', 8, AT)).toBeUndefined();
  });

  it('an answer does not count after a second of the machine', () => {
    expect(remembered({}, performance.now() - 1_000).find('question', 7, AT)).toBeUndefined();
  });

  it('an answer with very many terms is not remembered', () => {
    const terms = Array.from({ length: 5 }, (_, n) => `term ${n}`);
    expect(remembered({ answer: { terms } }).find('question', 7, AT)).toBeUndefined();
  });

  it('the oldest answer makes room for a new one', () => {
    const answers = remembered();
    const note = (name: string) =>
      answers.note(name, { answer, lastChange: 7, at: AT, until: null }, performance.now());
    for (let n = 0; n < 4_999; n += 1) note(`question ${n}`);
    expect(answers.find('question', 7, AT)).toBe(answer);
    note('one more');
    expect(answers.find('question', 7, AT)).toBeUndefined();
    expect(answers.find('one more', 7, AT)).toBe(answer);
  });
});
