/**
 * Writes what is made from the schema of the routing table: the published JSON schema and the validators of its pieces,
 * which need no library at run time. With `--check` it writes nothing and fails if a committed file differs.
 *
 * The schema itself stands here and not in src/table, which imports nothing; that it says the same as `document.ts` is
 * checked by the compiler at the end of this file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { Type, type Static, type TSchema } from 'typebox';
import type { EndpointsDocument, RoutingTable } from '../src/table/document.ts';

const folder = new URL('../src/table/', import.meta.url);

const port = Type.Integer({ minimum: 1, maximum: 65535 });
const lowerCase = { pattern: '^[^A-Z\\s]+$' };
const record = <T extends TSchema>(value: T) => Type.Record(Type.String(), value);
/** Chosen by its field `type`, so that an error names the field of the one that was meant. */
const byType = <T extends TSchema[]>(...variants: [...T]) =>
  Type.Unsafe<Static<T[number]>>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: variants,
  });

const listener = Type.Object({
  id: Type.String(),
  gateway: Type.String(),
  protocol: Type.Enum(['HTTP', 'HTTPS']),
  port,
  hostname: Type.Optional(Type.String(lowerCase)),
});

const valueMatch = Type.Object({
  name: Type.String(),
  type: Type.Enum(['Exact', 'RegularExpression']),
  value: Type.String(),
});

const row = Type.Object({
  path: Type.Object({ type: Type.Enum(['Exact', 'PathPrefix', 'RegularExpression']), value: Type.String() }),
  method: Type.Optional(Type.String()),
  headers: Type.Optional(Type.Array(valueMatch)),
  queryParams: Type.Optional(Type.Array(valueMatch)),
  listeners: Type.Array(Type.String()),
  rule: Type.String(),
});

const bucketName = { host: Type.String(lowerCase) };
/** A host without its rows, which are checked one by one. */
const bucket = Type.Object(bucketName);
const host = Type.Object({ ...bucketName, rows: Type.Array(row) });

const headerValue = Type.Object({ name: Type.String(), value: Type.String() });

const headerModifier = Type.Object({
  type: Type.Enum(['RequestHeaderModifier', 'ResponseHeaderModifier']),
  set: Type.Optional(Type.Array(headerValue)),
  add: Type.Optional(Type.Array(headerValue)),
  remove: Type.Optional(Type.Array(Type.String())),
});

const pathModifier = byType(
  Type.Object({ type: Type.Literal('ReplaceFullPath'), replaceFullPath: Type.String() }),
  Type.Object({ type: Type.Literal('ReplacePrefixMatch'), replacePrefixMatch: Type.String() }),
);

const scheme = Type.Enum(['http', 'https']);

const redirect = Type.Object({
  type: Type.Literal('RequestRedirect'),
  scheme: Type.Optional(scheme),
  hostname: Type.Optional(Type.String()),
  port: Type.Optional(port),
  path: Type.Optional(pathModifier),
  statusCode: Type.Integer({ minimum: 300, maximum: 399 }),
  atTunnel: Type.Object({ scheme, port: Type.Optional(port) }),
});

const rewrite = Type.Object({
  type: Type.Literal('URLRewrite'),
  hostname: Type.Optional(Type.String()),
  path: Type.Optional(pathModifier),
});

const filters = Type.Optional(Type.Array(byType(headerModifier, redirect, rewrite)));

const answer = Type.Optional(Type.Object({ status: Type.Integer({ minimum: 200, maximum: 599 }), why: Type.String() }));

const milliseconds = Type.Optional(Type.Number({ minimum: 0 }));

const rule = Type.Object({
  source: Type.String(),
  answer,
  filters,
  backends: Type.Optional(
    Type.Array(
      Type.Object({
        weight: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
        backend: Type.Optional(Type.String()),
        answer,
        filters,
      }),
    ),
  ),
  timeouts: Type.Optional(Type.Object({ request: milliseconds, backendRequest: milliseconds })),
});

const backend = Type.Object({
  host: Type.String(),
  port,
  protocol: Type.Enum(['http1', 'h2c', 'https']),
  websocket: Type.Optional(Type.Literal(true)),
});

const head = { schema: Type.String({ pattern: '^[0-9]+\\.[0-9]+$' }) };

const table = Type.Object({
  ...head,
  plane: Type.String(),
  listeners: Type.Array(listener),
  hosts: Type.Array(host),
  rules: record(rule),
  backends: record(backend),
});

const endpoints = Type.Object({ ...head, backends: record(Type.Array(Type.String())) });

/** Without `readonly`, which the schema does not speak of. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;
/** The same with every optional field there: a field that only one side knows is then missing on the other. */
type Full<T> = T extends readonly (infer Item)[]
  ? Full<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]-?: Full<Exclude<T[K], undefined>> }
    : T;
type Same<A, B> = [Plain<A>, Plain<B>, Full<A>, Full<B>] extends [Plain<B>, Plain<A>, Full<B>, Full<A>] ? true : false;

/** The compiler refuses these lines when the schema and `document.ts` have parted. */
true satisfies Same<Static<typeof table>, RoutingTable>;
true satisfies Same<Static<typeof endpoints>, EndpointsDocument>;

const pieces = {
  head: Type.Object({ ...head, plane: Type.String() }),
  bucket,
  listener,
  row,
  rule,
  backend,
  endpoints,
};

function validators(): string {
  const ajv = new Ajv({ code: { source: true, esm: true }, unicodeRegExp: false, discriminator: true });
  for (const [name, schema] of Object.entries(pieces)) ajv.addSchema(schema, name);
  const exported = Object.fromEntries(Object.keys(pieces).map((name) => [name, name]));
  return `// Written by scripts/table-schema.ts.\n${standalone.default(ajv, exported)}\n`;
}

function schemaDocument(): string {
  const title = 'Routing table of a cloudflare-gateway-controller data plane';
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', title, ...table }, null, 2)}\n`;
}

const outputs = { 'table.schema.json': schemaDocument(), 'validate.generated.mjs': validators() };

function committed(name: string): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    return '';
  }
}

for (const [name, text] of Object.entries(outputs)) {
  if (committed(name) === text) continue;
  if (process.argv.includes('--check')) {
    console.error(
      `src/table/${name} differs from the schema: run \`node scripts/table-schema.ts\` and commit the result.`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(new URL(name, folder), text);
  }
}
