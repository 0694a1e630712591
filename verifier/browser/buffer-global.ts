/** The pure core uses Node's `Buffer` for bytes of texts; the build puts this one in its place. */
export { Buffer } from 'buffer/';
