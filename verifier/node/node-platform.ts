import { createPublicKey, verify } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflateRaw, crc32 } from 'node:zlib';
import { fileFault } from '../../src/kernel/file-fault.js';
import { UNPACKED_AT_ONCE, type VerifierPlatform, type Source } from '../platform.js';

/** Prefix of an Ed25519 public key in DER, before its 32 bytes (RFC 8410). */
const DER = Buffer.from('302a300506032b6570032100', 'hex');

export const nodePlatform: VerifierPlatform = {
  async *inflate(packed) {
    let length = 0;
    const counted = async function* () {
      for await (const chunk of packed) {
        length += chunk.length;
        yield chunk;
      }
    };
    const inflate = createInflateRaw({ chunkSize: UNPACKED_AT_ONCE });
    const input = Readable.from(counted(), { objectMode: true });
    input.on('error', (error) => inflate.destroy(error));
    yield* input.pipe(inflate) as AsyncIterable<Uint8Array>;
    if (inflate.bytesWritten !== length) throw new Error('bytes behind the end of the data');
  },
  crc32,
  verifyEd25519: (publicKey, message, signature) =>
    verify(
      null,
      message,
      createPublicKey({ key: Buffer.concat([DER, publicKey]), format: 'der', type: 'spki' }),
      signature,
    ),
};

const faultOf =
  (path: string) =>
  (error: unknown): never => {
    throw fileFault(error, path);
  };

/** @throws Error with a sentence when the file cannot be read */
export const readWhole = (path: string): Promise<Buffer> => readFile(path).catch(faultOf(path));

/** Opens a file. Close it after reading. @throws Error with a sentence when it cannot be opened */
export async function openFile(path: string): Promise<Source & { close(): Promise<void> }> {
  const file = await open(path).catch(faultOf(path));
  const { size } = await file.stat();
  return {
    size,
    read: async (offset, length) => {
      const bytes = Buffer.allocUnsafe(length);
      for (let read = 0; read < length;) {
        const { bytesRead } = await file.read(bytes, read, length - read, offset + read).catch(faultOf(path));
        if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
        read += bytesRead;
      }
      return bytes;
    },
    close: () => file.close(),
  };
}
