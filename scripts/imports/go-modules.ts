import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A pinned module of scripts/imports/go.mod, unpacked on this machine. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  readonly directory: string;
}

interface Downloaded {
  readonly Path: string;
  readonly Version: string;
  readonly Dir?: string;
  readonly Error?: string;
}

/**
 * Fetches the modules pinned in scripts/imports/go.mod, or finds them in Go's module cache; their contents are checked
 * against go.sum either way. Throws with a sentence that says what to do if Go is missing or a module cannot be had.
 */
export function goModules(): ReadonlyMap<string, GoModule> {
  const output = run(['mod', 'download', '-json', ...pinnedPaths()]);
  const modules = splitJson(output).map((each) => toModule(each));
  return new Map(modules.map((each) => [each.path, each]));
}

function pinnedPaths(): readonly string[] {
  const document = JSON.parse(run(['mod', 'edit', '-json'])) as {
    readonly Require: readonly { readonly Path: string }[];
  };
  return document.Require.map((each) => each.Path);
}

function toModule({ Path, Version, Dir, Error: failure }: Downloaded): GoModule {
  if (Dir === undefined) throw new Error(`Go module ${Path} ${Version} cannot be had: ${failure ?? 'no directory'}`);
  return { path: Path, version: Version, directory: Dir };
}

function run(args: readonly string[]): string {
  try {
    return execFileSync('go', args, {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
      env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(
      'the command go is missing: install Go (scripts/imports/go.mod says which version), it fetches the pinned CRDs',
      {
        cause: error,
      },
    );
  }
}

/** `go mod download -json` prints one object after the other, each beginning and ending in the first column. */
function splitJson(output: string): readonly Downloaded[] {
  return output
    .split(/^(?=\{)/m)
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text) as Downloaded);
}
