import { Option, type Command } from 'commander';
import type { CheckOptions } from '../facts/schema/check.ts';
import { controllerSettings, type ControllerSettings } from '../facts/settings.ts';

/** Options of every command that runs the rules on files. */
export interface RuleOptions {
  readonly filename: readonly string[];
  readonly clusterName?: string;
  readonly clusterDomain?: string;
  readonly proxyImage?: string;
  readonly cloudflaredImage?: string;
  readonly channel: CheckOptions['channel'];
}

/** Collects the values of an option that may be repeated. */
export const collected = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value];

/** Adds `-f` and the controller's settings, all with the chart's defaults. */
export function withRuleOptions(command: Command): Command {
  const { clusterName, clusterDomain, images } = controllerSettings().spec;
  return command
    .requiredOption('-f, --filename <path...>', 'files, directories, patterns or - for stdin; may be repeated')
    .option('--cluster-name <name>', `name of the cluster, part of tunnel names (default: ${clusterName})`)
    .option('--cluster-domain <domain>', `DNS domain of the cluster (default: ${clusterDomain})`)
    .option('--proxy-image <image>', `image of the proxy (default: ${images.proxy})`)
    .option('--cloudflared-image <image>', `image of cloudflared (default: ${images.cloudflared})`)
    .addOption(
      new Option('--channel <channel>', 'Gateway API channel whose schemas the objects are checked by')
        .choices(['auto', 'standard', 'experimental'])
        .default('auto'),
    );
}

/** The settings as the rules read them; what cannot be known offline is assumed and named. */
export function settingsOf(options: RuleOptions): ControllerSettings {
  const { clusterName, clusterDomain, images } = controllerSettings().spec;
  return controllerSettings({
    assumeUnknown: true,
    clusterName: options.clusterName ?? clusterName,
    clusterDomain: options.clusterDomain ?? clusterDomain,
    images: {
      proxy: options.proxyImage ?? images.proxy,
      cloudflared: options.cloudflaredImage ?? images.cloudflared,
    },
  });
}
