import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { canonicalJson } from '../../../src/kernel/canonical-json.js';

/** Files of a bundle by name, in the order of the archive. */
export type BundleFiles = ReadonlyMap<string, Buffer>;

export async function unpack(archive: Buffer): Promise<BundleFiles> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  return files;
}

const manifestOf = (manifest: object): Buffer => Buffer.from(`${canonicalJson(manifest)}\n`);

/** Packs files in the format of the service. */
export async function packed(files: Iterable<readonly [string, Buffer]>): Promise<Buffer> {
  const zip = new ZipFile();
  const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };
  for (const [name, bytes] of files) zip.addReadStream(Readable.from([bytes]), name, options);
  zip.end();
  return buffer(zip.outputStream);
}

export async function pack(files: BundleFiles, file: string): Promise<void> {
  writeFileSync(file, await packed(files));
}

/** Replaces files and their entries in the manifest, so that the manifest is consistent. */
export function withFiles(files: BundleFiles, changed: Readonly<Record<string, string>>): BundleFiles {
  const all = new Map([
    ...files,
    ...Object.entries(changed).map(([name, text]) => [name, Buffer.from(text)] as const),
  ]);
  const manifest = JSON.parse(all.get('manifest.json')!.toString()) as { files: Record<string, object> };
  for (const [name, text] of Object.entries(changed)) {
    if (name === 'manifest.json') continue;
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    manifest.files[name] = { bytes: bytes.length, lines: text.split('\n').length - 1, sha256 };
  }
  if (!('manifest.json' in changed)) all.set('manifest.json', manifestOf(manifest));
  return all;
}

/** Replaces a document and its hash in the manifest, so that the manifest is consistent. */
export function withDocument(files: BundleFiles, name: string, pdf: Buffer): BundleFiles {
  const manifest = JSON.parse(files.get('manifest.json')!.toString()) as { files: Record<string, object> };
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  manifest.files[name] = { bytes: pdf.length, sha256 };
  return new Map([...files, [name, pdf], ['manifest.json', manifestOf(manifest)]]);
}

/** Changes fields of the manifest. */
export const withManifest = (files: BundleFiles, changes: object): BundleFiles =>
  withFiles(files, {
    'manifest.json': manifestOf({
      ...JSON.parse(files.get('manifest.json')!.toString()),
      ...changes,
    }).toString(),
  });

/** Removes files and their entries in the manifest. */
export function withoutFiles(files: BundleFiles, ...names: string[]): BundleFiles {
  const all = new Map([...files].filter(([name]) => !names.includes(name)));
  const manifest = JSON.parse(all.get('manifest.json')!.toString()) as { files: Record<string, object> };
  for (const name of names) delete manifest.files[name];
  return all.set('manifest.json', manifestOf(manifest));
}

/** Removes an invoice from the lists of invoices, with its document; its events stay. */
export function withoutInvoice(files: BundleFiles, number: string): BundleFiles {
  const { invoices } = JSON.parse(files.get('manifest.json')!.toString()) as { invoices: string[] };
  const lists = [...files.keys()].filter((name) => name.startsWith('invoices/'));
  const without = lists.reduce(
    (changed, name) => withLines(changed, name, (lines) => lines.filter((line) => line.number !== number)),
    withoutFiles(files, `pdfs/${number}.pdf`),
  );
  return withManifest(without, { invoices: invoices.filter((one) => one !== number) });
}

/** JSON of any shape, for forgeries. */
// oxlint-disable-next-line typescript/no-explicit-any -- every shape of the bundle
export type Forged = any;

/** Changes the lines of a JSON Lines file. */
export function withLines(
  files: BundleFiles,
  name: string,
  change: (lines: Forged[]) => object[],
): BundleFiles {
  const lines = files.get(name)!.toString().split('\n').slice(0, -1);
  const changed = change(lines.map((line) => JSON.parse(line) as Forged));
  return withFiles(files, { [name]: changed.map((line) => `${canonicalJson(line)}\n`).join('') });
}
