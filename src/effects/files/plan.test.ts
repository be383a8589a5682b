import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carryOutFiles } from './carryout.ts';
import { inventoryFile } from './inventory.ts';
import { planFiles } from './plan.ts';

describe('a plan for a rendered directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'plan-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const files = (...paths: string[]): Map<string, string> => new Map(paths.map((path) => [path, `text of ${path}\n`]));
  const write = async (desired: Map<string, string>): Promise<void> =>
    carryOutFiles(await planFiles(desired, directory), directory);
  const actions = async (desired: Map<string, string>): Promise<string[]> =>
    (await planFiles(desired, directory)).steps.map(({ action, path }) => `${action} ${path}`);
  const all = (): string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(directory, path)).isFile())
      .toSorted();

  it('creates, changes and deletes what is ours, with folders that become empty', async () => {
    await write(files('a/one.yaml', 'b/c/two.yaml'));
    const next = new Map([...files('a/new.yaml'), ['a/one.yaml', 'another text\n']]);
    assert.deepEqual(await actions(next), ['create a/new.yaml', 'change a/one.yaml', 'delete b/c/two.yaml']);
    await write(next);
    assert.deepEqual(all(), ['a/new.yaml', 'a/one.yaml', inventoryFile]);
    assert.equal(existsSync(join(directory, 'b')), false);
    assert.equal(readFileSync(join(directory, 'a/one.yaml'), 'utf8'), 'another text\n');
  });

  it('writes nothing where nothing differs', async () => {
    await write(files('a/one.yaml'));
    const before = statSync(join(directory, inventoryFile), { bigint: true }).mtimeNs;
    const plan = await planFiles(files('a/one.yaml'), directory);
    assert.deepEqual(plan.steps, []);
    assert.equal(plan.isInventoryStale, false);
    await carryOutFiles(plan, directory);
    assert.equal(statSync(join(directory, inventoryFile), { bigint: true }).mtimeNs, before);
  });

  it('refuses to overwrite what the inventory does not name, and then writes nothing at all', async () => {
    mkdirSync(join(directory, 'a'));
    writeFileSync(join(directory, 'a/one.yaml'), 'by hand\n');
    mkdirSync(join(directory, 'two.yaml'));
    const plan = await planFiles(files('a/one.yaml', 'two.yaml', 'three.yaml'), directory);
    assert.equal(plan.refusals.length, 2);
    assert.match(plan.refusals[0] ?? '', /^a\/one\.yaml is in the way and was not written by cfgwctl; move it/);
    assert.match(plan.refusals[1] ?? '', /^two\.yaml is in the way and is no file/);
    await assert.rejects(carryOutFiles(plan, directory), /in the way/);
    assert.deepEqual(all(), ['a/one.yaml']);
  });

  it('adopts a file that has the very text, with no step', async () => {
    writeFileSync(join(directory, 'one.yaml'), 'text of one.yaml\n');
    const plan = await planFiles(files('one.yaml'), directory);
    assert.deepEqual(plan.steps, []);
    assert.equal(plan.isInventoryStale, true);
  });

  it('overwrites an edited file of ours and says so', async () => {
    await write(files('one.yaml'));
    writeFileSync(join(directory, 'one.yaml'), 'edited\n');
    const { steps } = await planFiles(files('one.yaml'), directory);
    assert.deepEqual(
      steps.map((step) => step.action === 'change' && step.edited),
      [true],
    );
  });

  it('keeps an edited file that nothing asks for, and tells it at every run', async () => {
    await write(files('one.yaml', 'two.yaml'));
    writeFileSync(join(directory, 'two.yaml'), 'edited\n');
    for (let run = 0; run < 2; run += 1) {
      assert.deepEqual(await actions(files('one.yaml')), ['keep two.yaml']);
      await write(files('one.yaml'));
    }
    assert.equal(readFileSync(join(directory, 'two.yaml'), 'utf8'), 'edited\n');
    rmSync(join(directory, 'two.yaml'));
    await write(files('one.yaml'));
    assert.deepEqual(await actions(files('one.yaml')), []);
    assert.equal(readFileSync(join(directory, inventoryFile), 'utf8').includes('two.yaml'), false);
  });

  it('comes to the same end when it is stopped after any step', async () => {
    const before = files('a/keep.yaml', 'a/old.yaml', 'b/old.yaml');
    const after = new Map([...files('a/new.yaml', 'c/new.yaml'), ['a/keep.yaml', 'another text\n']]);
    for (let steps = 0; steps <= 5; steps += 1) {
      await write(before);
      const plan = await planFiles(after, directory);
      assert.equal(plan.steps.length, 5);
      let left = steps;
      const stopped = carryOutFiles(plan, directory, () => {
        left -= 1;
        if (left < 0) throw new Error('stopped');
      });
      if (steps < 5) await assert.rejects(stopped, /stopped/);
      await stopped.catch(() => undefined);
      await write(after);
      assert.deepEqual(all(), ['a/keep.yaml', 'a/new.yaml', 'c/new.yaml', inventoryFile], `after ${steps} steps`);
      assert.deepEqual(await actions(after), []);
      assert.equal((await planFiles(after, directory)).isInventoryStale, false);
    }
  });

  it('takes no inventory that leads out of the directory or is none', async () => {
    for (const text of ['{"files":{"../x":"00"}}', '{"files":{"/etc/x":"00"}}', '[]', '{', '{"files":{"a":1}}']) {
      writeFileSync(join(directory, inventoryFile), text);
      await assert.rejects(planFiles(files('one.yaml'), directory), /inventory\.json is not one that cfgwctl wrote/);
    }
  });
});
