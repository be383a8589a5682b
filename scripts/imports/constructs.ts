import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { servedVersions, type Crd } from './crds.ts';

const cli = fileURLToPath(new URL('../../node_modules/cdk8s-cli/bin/cdk8s', import.meta.url));

/**
 * What `cdk8s import` generates for the CRDs, one file per API group, by file name. Only the first served version is handed to it:
 * the constructs are for writing objects, and nobody writes a second one.
 */
export function constructs(crds: readonly Crd[]): ReadonlyMap<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [group, members] of Map.groupBy(crds, (crd) => crd.spec.group)) {
      const input = join(directory, `${group}.json`);
      writeFileSync(
        input,
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: members.map((crd) => preferred(crd)) }),
      );
    }
    return new Map(generate(directory).map(([name, text]) => [name, strippable(text)]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function preferred(crd: Crd): Crd {
  return { ...crd, spec: { ...crd.spec, versions: servedVersions(crd).slice(0, 1) } };
}

function generate(directory: string): readonly (readonly [name: string, text: string])[] {
  const output = join(directory, 'out');
  for (const input of readdirSync(directory).filter((name) => name.endsWith('.json'))) {
    const args = ['import', input, '--language', 'typescript', '--output', output, '--no-save', '--no-check-upgrade'];
    execFileSync(process.execPath, [cli, ...args], { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  return readdirSync(output).map((name) => [name, readFileSync(join(output, name), 'utf8')]);
}

/** Node strips types but compiles neither enums nor parameter properties, and imports by name only what is there at run time. */
function strippable(text: string): string {
  return text
    .replace(
      "import { ApiObject, ApiObjectMetadata, GroupVersionKind } from 'cdk8s';\nimport { Construct } from 'constructs';",
      "import { ApiObject, type ApiObjectMetadata, type GroupVersionKind } from 'cdk8s';\nimport type { Construct } from 'constructs';",
    )
    .replace(/^export enum (\w+) \{\n(.*?)^\}/gms, (_, name: string, body: string) => {
      const members = body.replace(/^ {2}(\w+) = (.+),$/gm, '  $1: $2,');
      return `export const ${name} = {\n${members}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];`;
    })
    .replace(
      /^ {2}private constructor\(public readonly value: (.+?)\) \{\n {2}\}/gm,
      '  public readonly value: $1;\n  private constructor(value: $1) {\n    this.value = value;\n  }',
    )
    .replace(/^\/\* eslint-(?:dis|en)able .*\n/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n*$/, '\n');
}
