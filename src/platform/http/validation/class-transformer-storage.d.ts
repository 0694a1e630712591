/** The metadata of class-transformer's decorators; the library has no public way to read it. */
declare module 'class-transformer/cjs/storage.js' {
  import type { TransformFnParams } from 'class-transformer';

  export const defaultMetadataStorage: {
    findTypeMetadata(target: object, property: string): { typeFunction?: () => unknown } | undefined;
    findTransformMetadatas(
      target: object,
      property: string,
      transformation: number,
    ): { transformFn: (params: TransformFnParams) => unknown }[];
  };
}
