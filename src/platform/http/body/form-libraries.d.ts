/** The parsers of forms that multer consists of; they have no types of their own. */
declare module 'busboy' {
  import type { IncomingHttpHeaders } from 'node:http';
  import type { Readable, Writable } from 'node:stream';

  interface Events {
    field: [name: string | undefined, value: string | undefined];
    file: [name: string | undefined, content: Readable, info: { readonly filename?: string }];
    partsLimit: [];
    error: [error: Error];
    close: [];
  }

  interface Busboy extends Writable {
    on<Name extends keyof Events>(name: Name, listener: (...args: Events[Name]) => void): this;
    on(name: string, listener: (...args: unknown[]) => void): this;
  }

  export default function busboy(options: {
    readonly headers: IncomingHttpHeaders;
    readonly defParamCharset: string;
    readonly limits: { readonly parts: number; readonly fieldSize: number };
  }): Busboy;
}

declare module 'append-field' {
  /** Puts a value where its name says: `a[b]` into an object, `a[0]` and `a[]` into a list. */
  export default function appendField(store: object, name: string, value: string): void;
}
