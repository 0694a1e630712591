import type { Logger } from '../../../src/platform/telemetry/logger.js';

/** Logger that records its sentences for a test. */
export class RecordedLog implements Logger {
  readonly sentences: string[] = [];
  debug = (): void => {};
  info = (_: object, sentence: string): void => void this.sentences.push(sentence);
  warn = this.info;
  error = this.info;
}
