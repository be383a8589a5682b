import assert from 'node:assert/strict';
import { createMetrics, histogramCell, observe } from './metrics.ts';

describe('metrics', () => {
  it('never throws into the caller: a wrong label or value is counted', async () => {
    const metrics = createMetrics();
    const add = metrics.counter({ name: 'a_total', help: 'A.', labels: ['x'] });
    add({ x: '1' });
    add({ y: '1' });
    add({ x: '1' }, -1);
    metrics.gauge({ name: 'g', help: 'G.' })(Number.NaN);
    const text = await metrics.text();
    assert.match(text, /^a_total\{x="1"\} 1$/m);
    assert.match(text, /^cftunnel_metric_errors_total [23]$/m);
  });

  it('reads sampled counters and histograms at scrape time', async () => {
    const bounds = [0.1, 1];
    const metrics = createMetrics();
    const cell = histogramCell(bounds);
    let count = 0;
    metrics.sampled('counter', { name: 'b_total', help: 'B.' }, () => [{ labels: { host: 'a"b' }, value: count }]);
    metrics.sampledHistogram({ name: 'h_seconds', help: 'H.', bounds }, () => [{ labels: { host: 'a' }, cell }]);
    count = 3;
    for (const value of [0.05, 0.1, 0.5, 7]) observe(cell, bounds, value);
    const text = await metrics.text();
    assert.match(text, /^b_total\{host="a\\"b"\} 3$/m);
    assert.match(text, /^h_seconds_bucket\{host="a",le="0\.1"\} 2$/m);
    assert.match(text, /^h_seconds_bucket\{host="a",le="1"\} 3$/m);
    assert.match(text, /^h_seconds_bucket\{host="a",le="\+Inf"\} 4$/m);
    assert.match(text, /^h_seconds_sum\{host="a"\} 7\.65$/m);
    assert.match(text, /^h_seconds_count\{host="a"\} 4$/m);
    assert.match(text, /^# TYPE h_seconds histogram$/m);
  });
});
