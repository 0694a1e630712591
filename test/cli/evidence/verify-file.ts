import { run } from '../../../verifier/main.js';
import { pack, type BundleFiles } from './edit-bundle.js';

interface Verdict {
  readonly code: number;
  readonly text: string;
}

/** Verifies a bundle as the command line does. */
export async function verify(file: string, ...options: string[]): Promise<Verdict> {
  let text = '';
  const code = await run([...options, file], (written) => (text += written));
  return { code, text };
}

/** Writes a bundle of these files, then verifies it. */
export async function verifyFiles(files: BundleFiles, file: string): Promise<Verdict> {
  await pack(files, file);
  return verify(file);
}
