import { controllerName, groups } from '../../api/names.ts';
import { view } from '../engine/declare.ts';
import { assumes } from './assumption.ts';
import { gatewayClasses } from './collections.ts';

/** Whose a GatewayClass is. A class that cannot be read is not taken for somebody else's (seed: "Routes attached to another implementation's Gateway"). */
export type Ownership = 'ours' | 'foreign' | 'absent' | 'unknown';

/** Spec: GatewayClassSpec.controllerName. */
export const classOwnership = view('classOwnership', (name, read): Ownership =>
  read(gatewayClasses, name).when<Ownership>({
    present: ({ spec }) => (spec.controllerName === controllerName ? 'ours' : 'foreign'),
    absent: () => 'absent',
    // Offline a class that nobody wrote down is most often ours: it comes with the chart.
    unknown: () => (assumes(read) ? 'ours' : 'unknown'),
  }),
);

/** What a class names as its parameters. Kinds Secret and GatewayClassConfig are known (decisions, "GatewayClass without parametersRef"). */
export type ClassParameters =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'Secret'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'GatewayClassConfig'; readonly name: string }
  | { readonly kind: 'invalid'; readonly message: string };

/** Spec: GatewayClassSpec.parametersRef; gateway parameters, "Credentials". */
export const classParameters = view('classParameters', (name, read): ClassParameters =>
  read(gatewayClasses, name).when<ClassParameters>({
    present: ({ spec: { parametersRef: ref } }) => {
      if (ref === undefined) return { kind: 'none' };
      if (ref.group === groups.class && ref.kind === 'GatewayClassConfig')
        return { kind: 'GatewayClassConfig', name: ref.name };
      if (ref.group !== groups.core || ref.kind !== 'Secret') return invalid(`${ref.group}/${ref.kind}`);
      if (ref.namespace === undefined) return withoutNamespace(ref.name);
      return { kind: 'Secret', namespace: ref.namespace, name: ref.name };
    },
    absent: () => ({ kind: 'none' }),
    unknown: (why) => ({ kind: 'unknown', why }),
  }),
);

function invalid(kind: string): ClassParameters {
  const message = `spec.parametersRef names ${kind}; name a core Secret (group "", with a namespace) or a ${groups.class} GatewayClassConfig`;
  return { kind: 'invalid', message };
}

function withoutNamespace(secret: string): ClassParameters {
  const message = `spec.parametersRef names Secret ${secret} without a namespace; set spec.parametersRef.namespace`;
  return { kind: 'invalid', message };
}
