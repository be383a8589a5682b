import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatMessage } from '../../../src/facts/files/message.ts';
import { readFiles } from '../../../src/facts/files/read.ts';

/**
 * `NAME.in.yaml` is bad input, `NAME.out.txt` every message it gets. UPDATE_GOLDEN=1 writes what comes out: read the
 * difference before it is committed.
 */
const folder = fileURLToPath(new URL('.', import.meta.url));

describe('bad input', () => {
  for (const input of readdirSync(folder).filter((name) => /\.in\.\w+$/.test(name))) {
    it(input, async () => {
      const golden = `${folder}${input.replace(/\.in\.\w+$/, '.out.txt')}`;
      const { messages } = await readFiles([`${folder}${input}`]);
      const text = messages.map((message) => `${formatMessage(message).replaceAll(folder, '')}\n`).join('');
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text);
      assert.equal(text, readFileSync(golden, 'utf8'));
    });
  }
});
