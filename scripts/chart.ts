/**
 * Writes the files of the chart that follow from others: the rules of its roles, the schema of its values, the dashboards and its README.
 * With `--check` it writes nothing and fails if a committed file differs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dashboards } from './chart/dashboards.ts';
import { chartFolder, type OutputFile } from './chart/output.ts';
import { rbacTemplate } from './chart/rbac.ts';
import { readme } from './chart/readme.ts';
import { valuesSchema } from './chart/schema.ts';
import { readValues } from './chart/values.ts';

const documented = readValues();
const outputs: readonly OutputFile[] = [rbacTemplate(), valuesSchema(documented), ...dashboards(), readme(documented)];

for (const { path, text } of outputs) {
  const url = new URL(path, chartFolder);
  if (committed(url) === text) continue;
  if (process.argv.includes('--check')) {
    console.error(
      `charts/cloudflare-gateway-controller/${path} is out of date: run \`npm run chart\` and commit the result.`,
    );
    process.exitCode = 1;
  } else {
    mkdirSync(new URL('.', url), { recursive: true });
    writeFileSync(url, text);
  }
}

function committed(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}
