import type { Index, Rule } from '../engine/declare.ts';
import { routesByListener } from './attachedroutes.ts';
import { routesByPlane } from './attachment.ts';
import { cloudflareGatewayStatus } from './cloudflaregatewaystatus.ts';
import { cloudflareRecords, dataPlane, publishedEndpoints, publishedTable } from './dataplane.ts';
import { gatewayClassFindings, gatewayClassStatus } from './gatewayclassstatus.ts';
import { gatewayFindings } from './gatewayfindings.ts';
import { gatewayStatus } from './gatewaystatus.ts';
import { hostsByPlane, routesByHost, shadowsByRoute } from './hostrows.ts';
import { httpRouteFindings } from './httproutefindings.ts';
import { httpRouteStatus } from './httproutestatus.ts';
import { planes } from './planes.ts';
import { grantsByNamespace } from './referencegrant.ts';
import { policiesByService, slicesByService } from './services.ts';
import {
  grpcRouteStatus,
  listenerSetStatus,
  unsupportedGrpcRouteFindings,
  unsupportedListenerSetFindings,
} from './unsupportedroutes.ts';

/** Rules that claim the status of objects; each emits a StatusClaim or nothing. */
export const statusRules: readonly Rule<unknown>[] = [
  gatewayClassStatus,
  gatewayStatus,
  cloudflareGatewayStatus,
  listenerSetStatus,
  httpRouteStatus,
  grpcRouteStatus,
];

/** Rules that tell a person something; each emits a list of Findings. */
export const findingRules: readonly Rule<unknown>[] = [
  gatewayClassFindings,
  gatewayFindings,
  unsupportedListenerSetFindings,
  httpRouteFindings,
  unsupportedGrpcRouteFindings,
];

/** All indexes and rules in the order in which they may read one another: the table of contents of this folder. */
export const readingOrder: readonly (Index | Rule<unknown>)[] = [
  grantsByNamespace,
  policiesByService,
  slicesByService,
  planes,
  routesByPlane,
  routesByHost,
  hostsByPlane,
  shadowsByRoute,
  routesByListener,
  dataPlane,
  publishedTable,
  publishedEndpoints,
  cloudflareRecords,
  ...statusRules,
  ...findingRules,
];
