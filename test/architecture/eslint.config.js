import tseslint from 'typescript-eslint';

const PURE = [
  'src/kernel/**/*.ts',
  'src/pricing/**/*.ts',
  'src/**/domain/**/*.ts',
  'src/billing/rating/**/*.ts',
];

/**
 * The rules that oxlint (.oxlintrc.json) has no counterpart for: those of the pure core, which reads no clock, no random
 * source and no environment, and type-only imports beside decorated signatures, which need their classes at run time.
 */
export default tseslint.config(
  {
    files: ['src/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.controller.ts', 'src/**/http/**', 'src/**/commands/**', 'src/**/queries/**'],
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
    },
  },
  {
    files: PURE,
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'The pure core knows no process.' },
        { name: 'performance', message: 'The pure core knows no clock.' },
        { name: 'setTimeout', message: 'The pure core does not wait.' },
        { name: 'setInterval', message: 'The pure core does not wait.' },
        { name: 'crypto', message: 'The pure core knows no random source.' },
        { name: 'fetch', message: 'The pure core does no I/O.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'The pure core knows no clock.' },
        { object: 'Math', property: 'random', message: 'The pure core knows no random source.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The pure core knows no clock.',
        },
        {
          selector: "ImportSpecifier[imported.name='randomUUID']",
          message: 'The pure core knows no random source.',
        },
        {
          selector: "ImportSpecifier[imported.name='randomBytes']",
          message: 'The pure core knows no random source.',
        },
      ],
    },
  },
);
