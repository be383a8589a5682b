import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createLogger } from './logger.ts';

function capture(): { destination: PassThrough; lines: () => Record<string, unknown>[] } {
  const destination = new PassThrough();
  let text = '';
  destination.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    destination,
    lines: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('logger', () => {
  it('keeps name, message, code and stack of an error, wherever it stands', async () => {
    const { destination, lines } = capture();
    const logger = createLogger({ destination });
    logger.error('no table', {
      error: Object.assign(new Error('broken'), { code: 'EIO' }),
      nested: { cause: new Error('inner') },
    });
    await logger.close();
    const [line] = lines() as [Record<string, Record<string, unknown>>];
    const inner = line['nested']?.['cause'] as Record<string, unknown> | undefined;
    assert.equal(line['error']?.['message'], 'broken');
    assert.equal(line['error']?.['code'], 'EIO');
    assert.match(String(line['error']?.['stack']), /logger\.test/);
    assert.equal(inner?.['message'], 'inner');
  });

  it('does not glue a field called message on to the message, nor lets a field change the level', async () => {
    const { destination, lines } = capture();
    const logger = createLogger({ destination }).child({ plane: 'a/b' });
    logger.info('first', { message: 'second', level: 'error' });
    await logger.close();
    const { time, ...rest } = lines()[0] ?? {};
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(rest, {
      level: 'info',
      message: 'first',
      field_message: 'second',
      field_level: 'error',
      plane: 'a/b',
    });
  });

  it('blanks secrets by name and by look', async () => {
    const { destination, lines } = capture();
    const logger = createLogger({ destination });
    logger.info('call', {
      headers: { Authorization: 'Bearer abcdefghijkl', accept: '*/*' },
      tunnelToken: 'x',
      url: 'failed with Bearer abcdefghijkl.mnop today',
    });
    await logger.close();
    const [line] = lines();
    assert.deepEqual(line?.['headers'], { Authorization: '[redacted]', accept: '*/*' });
    assert.equal(line?.['tunnelToken'], '[redacted]');
    assert.equal(line?.['url'], 'failed with [redacted] today');
  });

  it('loses no line at close and writes each on one line', async () => {
    const { destination, lines } = capture();
    const logger = createLogger({ destination });
    for (let index = 0; index < 500; index += 1) logger.warn('a\nb', { index });
    await logger.close();
    assert.equal(lines().length, 500);
  });

  it('writes nothing below its level', async () => {
    const { destination, lines } = capture();
    const logger = createLogger({ destination, level: 'warn' });
    logger.info('quiet');
    logger.warn('loud');
    await logger.close();
    assert.deepEqual(
      lines().map((line) => line['message']),
      ['loud'],
    );
  });
});
