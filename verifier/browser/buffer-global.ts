/** The pure core uses Node's `Buffer` for bytes of texts. The build replaces it with this one. */
export { Buffer } from 'buffer/';
