import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, digestOf } from './cache.ts';

describe('the cache of what takes long to make', () => {
  const before_ = process.env['CFGW_CLUSTER_CACHE'];
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cache-'));
    process.env['CFGW_CLUSTER_CACHE'] = folder;
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (before_ === undefined) delete process.env['CFGW_CLUSTER_CACHE'];
    else process.env['CFGW_CLUSTER_CACHE'] = before_;
  });

  const entry = (digest: string, make: (path: string) => void | Promise<void>, days?: number): Promise<string> =>
    cached({ name: 'thing', digest: digestOf(digest), make, ...(days === undefined ? {} : { days }) }, () => {});

  it('makes an entry once, also for two who ask at the same time', async () => {
    let made = 0;
    const make = async (path: string): Promise<void> => {
      made += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      writeFileSync(join(path, 'file'), 'content');
    };
    const [one, other] = await Promise.all([entry('a', make), entry('a', make)]);
    assert.equal(one, other);
    assert.equal(await entry('a', make), one);
    assert.equal(made, 1);
    assert.equal(readFileSync(join(one, 'file'), 'utf8'), 'content');
  });

  it('keeps nothing of an entry that could not be made', async () => {
    const fail = (path: string): never => {
      writeFileSync(join(path, 'half'), '');
      throw new Error('no');
    };
    await assert.rejects(entry('a', fail), /^Error: no$/);
    const made = await entry('a', () => {});
    assert.deepEqual(readdirSync(made), []);
  });

  it('takes over from a run that died while making it', async () => {
    writeFileSync(join(folder, `thing-${digestOf('a')}.lock`), '4194304');
    assert.ok(existsSync(await entry('a', () => {})));
  });

  it('removes what nobody used for long when it makes another', async () => {
    const [old, fresh] = [await entry('old', () => {}), await entry('fresh', () => {})];
    const longAgo = new Date(Date.now() - 15 * 86_400_000);
    utimesSync(old, longAgo, longAgo);
    await entry('new', () => {});
    assert.deepEqual([existsSync(old), existsSync(fresh)], [false, true]);
  });

  it('has another digest for other contents, and for a file more', () => {
    const source = join(folder, 'source');
    writeFileSync(source, 'one');
    const first = digestOf(source);
    assert.equal(digestOf(source), first);
    writeFileSync(source, 'two');
    assert.notEqual(digestOf(source), first);
    const whole = digestOf(folder);
    writeFileSync(join(folder, 'more'), '');
    assert.notEqual(digestOf(folder), whole);
  });
});
