import assert from 'node:assert/strict';
import { readPlainScalar } from './scalar.ts';

/** What kubectl's own YAML reader (sigs.k8s.io/yaml 1.6) made of `k: …`, taken down from a run of it. */
const vectors: Readonly<Record<string, unknown>> = {
  on: true,
  y: true,
  n: false,
  Y: true,
  No: false,
  nO: 'nO',
  tRue: 'tRue',
  '': null,
  '~': null,
  NULL: null,
  '0777': 511,
  '-0777': -511,
  '0o17': 15,
  '0O7': 7,
  '0o8': '0o8',
  '0o': '0o',
  '08': 8,
  '09.5': 9.5,
  '0_7': 7,
  '0o_7': 7,
  '1e3': 1000,
  '12e03': 12_000,
  '1_e3': 1000,
  '1e3_0': 1e30,
  '1e400': '1e400',
  '1e': '1e',
  '1.5e': '1.5e',
  '1.5e+3': 1500,
  '1_000': 1000,
  '1_': 1,
  '1__0': 10,
  _1: '_1',
  '1_0.5': 10.5,
  '5._1': 5.1,
  '._5': '._5',
  '12:30': '12:30',
  '190:20:30': '190:20:30',
  '2026-01-01': '2026-01-01',
  '2026-01-01T10:00:00Z': '2026-01-01T10:00:00Z',
  '<<': '<<',
  '=': '=',
  '.': '.',
  '+': '+',
  '.5': 0.5,
  '+.5': 0.5,
  '1.': 1,
  '1.0': 1,
  '+1': 1,
  '-0': 0,
  '0x1F': 31,
  '0X1F': 31,
  '+0x1f': 31,
  '0x_1': 1,
  '0x': '0x',
  '0x1.8p1': '0x1.8p1',
  '0b11': 3,
  '0B11': 3,
  '-0b11': -3,
  '0b2': '0b2',
  '9007199254740991': 9_007_199_254_740_991,
};

describe('a plain scalar', () => {
  for (const [text, value] of Object.entries(vectors)) {
    it(`${text} is ${JSON.stringify(value)} to kubectl`, () => assert.deepEqual(readPlainScalar(text), { value }));
  }

  for (const text of ['9007199254740993', '-9007199254740993', '18446744073709551616', '0x20000000000001']) {
    it(`${text} would lose digits`, () => assert.match(JSON.stringify(readPlainScalar(text)), /beyond 2\^53/));
  }

  for (const text of ['.inf', '-.inf', '+.INF', '.nan', '.NaN']) {
    it(`${text} is nothing that JSON has`, () => assert.match(JSON.stringify(readPlainScalar(text)), /no number/));
  }
});
