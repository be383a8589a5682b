import type { KubeObject } from './object.ts';

/** Settings of the controller, given to the rules as a fact like any other: flags of the operator, options of cfgwctl. */
export interface ControllerSettings extends KubeObject {
  readonly spec: {
    readonly clusterName: string;
    readonly clusterDomain: string;
    /** Where shared data planes live. */
    readonly controllerNamespace: string;
    readonly images: { readonly proxy: string; readonly cloudflared: string };
    readonly imagePullSecrets: readonly string[];
    /** Offline: what cannot be known is taken to exist, and named. In a cluster it is waited for. Decisions, "Offline, unknown is not absent". */
    readonly assumeUnknown: boolean;
    /** CloudflareGatewayParameters.spec without secretRef, for Gateways that name none. */
    readonly gatewayDefaults: Readonly<Record<string, unknown>>;
  };
}

/** Key of the one ControllerSettings object. */
export const settingsKey = 'settings';

/** The settings with every default; `given` replaces single ones. */
export function controllerSettings(given: Partial<ControllerSettings['spec']> = {}): ControllerSettings {
  return {
    apiVersion: 'cloudflare-gateway-controller.io/internal',
    kind: 'ControllerSettings',
    metadata: { name: settingsKey },
    spec: {
      clusterName: 'default',
      clusterDomain: 'cluster.local',
      controllerNamespace: 'cloudflare-gateway-controller',
      images: {
        proxy: 'ghcr.io/cloudflare-gateway-controller/cloudflare-gateway-controller:0.1.0',
        cloudflared: 'docker.io/cloudflare/cloudflared:2026.8.2',
      },
      imagePullSecrets: [],
      assumeUnknown: false,
      gatewayDefaults: {},
      ...given,
    },
  };
}
