import tseslint from 'typescript-eslint';

const PURE = [
  'src/kernel/**/*.ts',
  'src/pricing/**/*.ts',
  'src/**/domain/**/*.ts',
  'src/billing/rating/**/*.ts',
];

/** The pure core touches no clock, no random source, no environment: given the same data it says the same, for ever. */
export const pureCore = [
  {
    files: PURE,
    languageOptions: { parser: tseslint.parser },
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
];
