import { fileURLToPath } from 'node:url';
import config from '../../jest.config.js';

/** Configuration that Stryker runs per mutant: one project of the main one, as Stryker accepts no list of projects. */
export default {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  ...config.projects.find(({ displayName }) => displayName === 'mutation'),
  testEnvironment: fileURLToPath(new URL('./until-first-failure.cjs', import.meta.url)),
};
