/** The steps a plan is made of. Each names what it does by itself, can be printed, and may be carried out twice. */
import type { CloudflareDesired } from '../../derive/results.ts';
import type { DnsRecord, IngressDocument, Zone } from './observed.ts';

export type Step =
  | { readonly kind: 'createTunnel'; readonly name: string }
  | { readonly kind: 'renewSecret'; readonly tunnelId: string }
  | { readonly kind: 'writeDocument'; readonly document: IngressDocument }
  | { readonly kind: 'createRecord'; readonly zone: Zone; readonly hostname: string }
  | { readonly kind: 'updateRecord'; readonly zone: Zone; readonly record: DnsRecord; readonly why: string }
  | { readonly kind: 'deleteRecord'; readonly zone: Zone; readonly record: DnsRecord }
  | { readonly kind: 'clearConnections'; readonly tunnelId: string }
  | { readonly kind: 'deleteTunnel'; readonly tunnelId: string };

/** What is wanted of Cloudflare for one data plane, and what of it at the moment. */
export interface TunnelLife {
  readonly desired: CloudflareDesired;
  /**
   * The Gateway is being deleted. `records` takes only its records away, for as long as its connectors run; `all` takes the tunnel too.
   * The document is not emptied: it goes with the tunnel.
   */
  readonly gone?: 'records' | 'all';
  /** Hash of a token that is to be replaced: while Cloudflare still has it, the tunnel gets a new secret. */
  readonly rotateFrom?: string;
  /** Why `desired` may lack something: then nothing is taken away. Field case B-06. */
  readonly incomplete?: string;
}

/** One line for a log, an event or a dry run. */
export function printStep(step: Step): string {
  switch (step.kind) {
    case 'createTunnel':
      return `create tunnel ${step.name}`;
    case 'renewSecret':
      return `give tunnel ${step.tunnelId} a new secret`;
    case 'writeDocument':
      return `write the ingress document (${rulesOf(step.document)} rules)`;
    case 'createRecord':
      return `create CNAME ${step.hostname} in zone ${step.zone.name}`;
    case 'updateRecord':
      return `update CNAME ${step.record.name} in zone ${step.zone.name}: ${step.why}`;
    case 'deleteRecord':
      return `delete CNAME ${step.record.name} in zone ${step.zone.name}`;
    case 'clearConnections':
      return `remove the connections of tunnel ${step.tunnelId}`;
    case 'deleteTunnel':
      return `delete tunnel ${step.tunnelId}`;
    default:
      return step satisfies never;
  }
}

function rulesOf({ ingress }: IngressDocument): number {
  return Array.isArray(ingress) ? ingress.length : 0;
}
