/** Sentences by the code of a system error: what is wrong with a file, then what to do. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file or folder ${path}. Check the path.`,
  EEXIST: (path) => `${path} exists already. Give another path, or remove it.`,
  EISDIR: (path) => `${path} is a folder. Give a file.`,
  ENOTDIR: (path) => `${path} is no folder. Give a folder.`,
  EACCES: (path) => `${path} may not be opened by this user. Change its permissions, or take another user.`,
  EROFS: (path) => `${path} cannot be written, as its file system is read-only. Give another path.`,
  ENOSPC: (path) => `${path} cannot be written, as the disk is full. Make room, then try again.`,
};

/** Returns an error with a sentence about a file for the error of a system call; any other error as it is. */
export function fileFault(error: unknown, path: string): unknown {
  const { code } = error as { readonly code?: unknown };
  const sentence = typeof code === 'string' && Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return sentence ? new Error(sentence(path), { cause: error }) : error;
}
