import assert from 'node:assert/strict';
import type { Catalogue } from './catalogue.ts';
import { readEvents } from './events.ts';
import { reportOf } from './report.ts';

const catalogue: Catalogue = {
  profiles: [{ name: 'GATEWAY-HTTP', core: ['Gateway', 'HTTPRoute'], extended: ['Extra', 'Other'] }],
  tests: [
    { name: 'Core', features: ['Gateway'], provisional: false },
    { name: 'CoreFails', features: ['Gateway', 'HTTPRoute'], provisional: false },
    { name: 'Extended', features: ['HTTPRoute', 'Extra'], provisional: false },
    { name: 'Unclaimed', features: ['HTTPRoute', 'Other'], provisional: false },
    { name: 'Foreign', features: ['Mesh'], provisional: false },
    { name: 'Never', features: ['Gateway'], provisional: false },
  ],
};

const events = [
  { Action: 'output', Test: 'TestConformance', Output: '    setting up\n' },
  { Action: 'pass', Test: 'TestConformance/Core', Elapsed: 1 },
  { Action: 'output', Test: 'TestConformance/CoreFails/part', Output: '  expected 200\n' },
  { Action: 'fail', Test: 'TestConformance/CoreFails/part' },
  { Action: 'fail', Test: 'TestConformance/CoreFails' },
  { Action: 'pass', Test: 'TestConformance/Extended/part' },
  { Action: 'pass', Test: 'TestConformance/Extended' },
  {
    Action: 'output',
    Test: 'TestConformance/Unclaimed',
    Output: '    conformance.go:56: Skipping Unclaimed: suite does not support Other\n',
  },
  { Action: 'skip', Test: 'TestConformance/Unclaimed' },
  { Action: 'fail', Test: 'TestConformance' },
];

describe('the report of a conformance run', () => {
  const reader = readEvents();
  for (const event of events) reader.read(JSON.stringify(event));
  reader.read('panic: not an event');

  it('counts tests by profile and level, and leaves features that are not claimed out', () => {
    const report = reportOf({
      mode: 'default',
      suite: 'v1',
      channel: 'experimental',
      catalogue,
      profiles: ['GATEWAY-HTTP'],
      supported: ['Gateway', 'HTTPRoute', 'Extra'],
      results: reader.results,
    });
    assert.deepEqual(report, {
      mode: 'default',
      suite: 'v1',
      channel: 'experimental',
      profiles: {
        'GATEWAY-HTTP': {
          core: { passed: 1, failed: 1, skipped: 1 },
          extended: { passed: 1, failed: 0, skipped: 0 },
        },
      },
      failed: ['CoreFails'],
      skipped: {
        Foreign: 'it did not run: the suite ended before',
        Never: 'it did not run: the suite ended before',
        Unclaimed: 'suite does not support Other',
      },
    });
  });

  it('keeps what a test and its parts printed, and what was printed outside of tests', () => {
    assert.deepEqual(reader.results.get('CoreFails')?.output, ['  expected 200']);
    assert.deepEqual(reader.others, ['    setting up', 'panic: not an event']);
  });
});
