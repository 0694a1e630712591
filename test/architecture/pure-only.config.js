import tseslint from 'typescript-eslint';
import { pureCore } from '../../eslint.pure.js';

/** The purity rules alone, without type information, so that they can be asked about a text that is no file. */
export default [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }, ...pureCore];
