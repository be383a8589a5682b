import lock from '../../package-lock.json' with { type: 'json' };

/** One self-contained program in dist/. */
export interface Bundle {
  name: 'operator' | 'proxy' | 'cfgwctl';
  entry: string;
  /** The dependencies it may hold; with them comes what they need themselves, and nothing else. */
  packages: string[];
}

const proxy = ['http-proxy-3', 'undici', 'prom-client', 'winston', 'commander', 're2js', 'cookie', 'fast-deep-equal'];
const kubernetes = ['@kubernetes/client-node'];
const rules = ['cdk8s', 'cdk8s-plus-28', 'constructs', 're2js', 'croner', 'rfc6902', 'fast-deep-equal'];
const files = ['yaml', '@bufbuild/cel', '@bufbuild/protobuf'];

/** A package that is not named here stays out until someone adds it on purpose: the proxy above all holds neither Kubernetes nor Cloudflare code. */
export const bundles: Bundle[] = [
  {
    name: 'operator',
    entry: 'src/operator/main.ts',
    packages: [...kubernetes, 'cloudflare', ...rules, ...files, 'prom-client', 'winston', 'undici', 'commander'],
  },
  { name: 'proxy', entry: 'src/proxy/main.ts', packages: proxy },
  { name: 'cfgwctl', entry: 'src/cli/main.ts', packages: [...rules, ...files, ...proxy] },
];

interface Locked {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const locked = lock.packages as unknown as Record<string, Locked | undefined>;

/** The paths under node_modules of the named packages and of all they need, as npm laid them out in the lock file. */
export function closure(names: string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const path = resolvePackage(name, from);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = locked[path] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(needed, path);
  };
  for (const name of names) visit(name, '');
  return found;
}

/** The version of the package at this path of the lock file. */
export function versionOf(path: string): string {
  return locked[path]?.version ?? 'unknown';
}

/** Node's own search: inside the package that asks, then in each folder above it. */
function resolvePackage(name: string, from: string): string | undefined {
  const inside = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (locked[inside] !== undefined) return inside;
  return from === '' ? undefined : resolvePackage(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}
