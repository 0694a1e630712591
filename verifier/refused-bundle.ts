/** A bundle that is refused: nothing of it is believed. The message says where and why. */
export class RefusedBundle extends Error {
  override readonly name = 'RefusedBundle';
}
