import { view } from '../engine/declare.ts';
import { gateways } from './collections.ts';
import { classParameters } from './gatewayclass.ts';
import { presentOf } from './members.ts';

/**
 * The class whose Gateways share one plane with this one: a class with a GatewayClassConfig, unless the Gateway has parameters
 * of its own. None where the Gateway has a plane to itself. Source: DESIGN, "What a Gateway becomes".
 */
export const sharingClass = view('sharingClass', (key, read): string | undefined => {
  const gateway = presentOf(gateways, key, read);
  if (gateway === undefined || gateway.spec.infrastructure?.parametersRef !== undefined) return undefined;
  const { gatewayClassName } = gateway.spec;
  return read(classParameters, gatewayClassName).kind === 'GatewayClassConfig' ? gatewayClassName : undefined;
});
