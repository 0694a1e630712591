import tseslint from 'typescript-eslint';
import { pureCore } from './eslint.pure.js';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/', '.stryker/', 'test/architecture/fixtures/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      // On Node 20 the garbage collector takes signals that only another one refers to: those never abort.
      'no-restricted-properties': [
        'error',
        { object: 'AbortSignal', property: 'any', message: 'Use joinSignals.' },
        { object: 'AbortSignal', property: 'timeout', message: 'Use a timer and an AbortController.' },
      ],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300 }],
    },
  },
  { files: ['src/kernel/currencies.ts', 'test/golden/events/*.ts'], rules: { 'max-lines': 'off' } },
  {
    files: [
      'demo/**/*.ts',
      'test/bench/**/*.ts',
      'test/crash/main.ts',
      'test/books/main.ts',
      'src/main.ts',
      'projections/main.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  // Decorated signatures need their classes at run time.
  {
    files: ['**/*.controller.ts', 'src/**/http/**/*.ts', 'src/**/commands/**/*.ts', 'src/**/queries/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  ...pureCore,
);
