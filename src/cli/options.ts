import { Option, type Command } from 'commander';
import { controllerSettings, type ControllerSettings } from '../facts/settings.ts';

/** Options of every command that runs the rules on files. */
export interface RuleOptions {
  readonly filename: readonly string[];
  readonly clusterName?: string;
  readonly clusterDomain?: string;
  readonly proxyImage?: string;
  readonly cloudflaredImage?: string;
}

const collect = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value];

/** Adds `-f` and the controller's settings, all with the chart's defaults. */
export function withRuleOptions(command: Command): Command {
  const defaults = controllerSettings().spec;
  return command
    .addOption(
      new Option('-f, --filename <path>', 'file, directory, pattern or - for stdin; may be repeated')
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .option('--cluster-name <name>', `name of the cluster, part of tunnel names (default: ${defaults.clusterName})`)
    .option('--cluster-domain <domain>', `DNS domain of the cluster (default: ${defaults.clusterDomain})`)
    .option('--proxy-image <image>', 'image of the proxy')
    .option('--cloudflared-image <image>', 'image of cloudflared');
}

/** The settings as the rules read them; what cannot be known offline is assumed and named. */
export function settingsOf(options: RuleOptions): ControllerSettings {
  const { images } = controllerSettings().spec;
  return controllerSettings({
    assumeUnknown: true,
    ...(options.clusterName === undefined ? {} : { clusterName: options.clusterName }),
    ...(options.clusterDomain === undefined ? {} : { clusterDomain: options.clusterDomain }),
    images: {
      proxy: options.proxyImage ?? images.proxy,
      cloudflared: options.cloudflaredImage ?? images.cloudflared,
    },
  });
}
