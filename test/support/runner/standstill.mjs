/** Longer than any file may take (`FILE_LIMIT_MS` of jest-globals.mjs). */
const LIMIT_MS = 1_800_000;

/** A reporter that ends a run in which no file is done any more, and names the files under way. */
export default class Standstill {
  #underWay = new Set();
  #timer;

  onRunStart() {
    this.#restart();
  }

  onTestFileStart({ path }) {
    this.#underWay.add(path);
  }

  onTestFileResult({ path }) {
    this.#underWay.delete(path);
    this.#restart();
  }

  onRunComplete() {
    clearTimeout(this.#timer);
  }

  getLastError() {}

  #restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), LIMIT_MS).unref();
  }

  #end() {
    process.stderr.write(
      `No spec file was done within ${LIMIT_MS} ms. Under way:\n${[...this.#underWay].join('\n')}\n`,
    );
    process.exit(1);
  }
}
