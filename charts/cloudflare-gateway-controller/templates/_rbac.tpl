{{/* Written by scripts/chart.ts from scripts/chart/rbac.ts. */}}
{{- define "cfgw.rbac.cluster" -}}
# Read by the rules; patched for the finalizers.
- apiGroups: ['gateway.networking.k8s.io']
  resources: [gatewayclasses, gateways]
  verbs: [get, list, watch, patch]
# Read by the rules, and again where a status was written by somebody else meanwhile.
- apiGroups: ['gateway.networking.k8s.io']
  resources: [backendtlspolicies, grpcroutes, httproutes, listenersets]
  verbs: [get, list, watch]
# Read by the rules.
- apiGroups: ['gateway.networking.k8s.io']
  resources: [referencegrants]
  verbs: [list, watch]
# What became of each.
- apiGroups: ['gateway.networking.k8s.io']
  resources: [backendtlspolicies/status, gatewayclasses/status, gateways/status, grpcroutes/status, httproutes/status, listenersets/status]
  verbs: [patch]
# What a Gateway becomes names it as its owner; clusters that enforce it ask for this (OwnerReferencesPermissionEnforcement).
- apiGroups: ['gateway.networking.k8s.io']
  resources: [gateways/finalizers]
  verbs: [update]
# Settings of a Gateway.
- apiGroups: ['cloudflare-gateway-controller.io']
  resources: [cloudflaregatewayparameters]
  verbs: [list, watch]
# One beside each Gateway, with the inventory of what was made for it.
- apiGroups: ['cloudflare-gateway-controller.io']
  resources: [cloudflaregatewaystatuses]
  verbs: [get, list, watch, create, patch, delete]
# Its contents.
- apiGroups: ['cloudflare-gateway-controller.io']
  resources: [cloudflaregatewaystatuses/status]
  verbs: [patch]
# Settings of a class whose Gateways share a data plane.
- apiGroups: ['cf.k8s.lex.la']
  resources: [gatewayclassconfigs]
  verbs: [list, watch]
# Listeners choose the namespaces of routes by label.
- apiGroups: ['']
  resources: [namespaces]
  verbs: [list, watch]
# Backends that are dialled by address.
- apiGroups: ['discovery.k8s.io']
  resources: [endpointslices]
  verbs: [list, watch]
# Which version of the Gateway API there is, and which optional kinds.
- apiGroups: ['apiextensions.k8s.io']
  resources: [customresourcedefinitions]
  verbs: [get, list, watch]
# Credentials and certificates, wherever Gateways refer to them; a data plane's tunnel token.
- apiGroups: ['']
  resources: [secrets]
  verbs: [get, list, watch, create, patch, delete]
# Of a data plane; Services are backends too, and ConfigMaps hold CA certificates.
- apiGroups: ['']
  resources: [configmaps, serviceaccounts, services]
  verbs: [get, list, watch, create, patch, delete]
# Of a data plane.
- apiGroups: ['apps']
  resources: [deployments]
  verbs: [get, list, watch, create, patch, delete]
# Of a data plane.
- apiGroups: ['networking.k8s.io']
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch, delete]
# Of a data plane.
- apiGroups: ['policy']
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch, delete]
# Of a data plane with tunnel.autoscaling; the kind is optional.
- apiGroups: ['autoscaling.k8s.io']
  resources: [verticalpodautoscalers]
  verbs: [get, list, watch, create, patch, delete]
# Where the proxies are asked what they serve; an annotation makes the kubelet bring a new table at once.
- apiGroups: ['']
  resources: [pods]
  verbs: [get, list, watch, patch]
# What happened to an object, each sentence once.
- apiGroups: ['events.k8s.io']
  resources: [events]
  verbs: [create]
{{- end -}}

{{- define "cfgw.rbac.namespace" -}}
# Leader election; the right to make an object cannot be limited to a name.
- apiGroups: ['coordination.k8s.io']
  resources: [leases]
  verbs: [create]
# Leader election.
- apiGroups: ['coordination.k8s.io']
  resources: [leases]
  resourceNames: ['{{ .Values.leaderElection.leaseName }}']
  verbs: [get, patch]
{{- end -}}
