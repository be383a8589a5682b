import type { Command } from 'commander';
import { tableSchema } from '../table/document.ts';
import type { Terminal } from './terminal.ts';

/** Gateway API release whose CRDs the schemas and types are made from. */
const gatewayApi = 'v1.6.3';

/** `cfgwctl version`: what is in this build. */
export function versionCommand(program: Command, { out }: Terminal): void {
  program
    .command('version')
    .description('print the versions of this build')
    .action(() => {
      out.write(
        [
          `cfgwctl ${process.env.CFGW_VERSION ?? 'dev'}`,
          `node ${process.version}`,
          `gateway api ${gatewayApi}`,
          `table schema ${tableSchema.major}.${tableSchema.minor}`,
          '',
        ].join('\n'),
      );
    });
}
