import { fileURLToPath } from 'node:url';
import config from '../../jest.config.js';

/** The configuration that Stryker runs per mutant: one project of the main one, as Stryker takes no list of them. */
export default {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  ...config.projects.find(({ displayName }) => displayName === 'mutation'),
  testEnvironment: fileURLToPath(new URL('./until-first-failure.cjs', import.meta.url)),
};
