/**
 * `npm test [-- FILE… | mocha options]`: the tests alone, without coverage; every test of the project when no file is named.
 */
import { relay } from './gate/process.ts';
import { mocha, testFiles } from './gate/tests.ts';

const args = process.argv.slice(2);
const files = args.some((arg) => arg.endsWith('.test.ts')) ? [] : testFiles;

process.exitCode = (await relay(process.execPath, [mocha, ...args, ...files])).code;
