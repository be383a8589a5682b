{{- define "cfgw.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- $full | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* ClusterRoles and the like are shared by all namespaces, in which a release of the same name may live. */}}
{{- define "cfgw.clusterName" -}}
{{- $full := include "cfgw.fullname" . -}}
{{- if eq .Release.Namespace "default" -}}
{{- $full -}}
{{- else if hasSuffix .Release.Namespace $full -}}
{{- $full -}}
{{- else -}}
{{- printf "%s-%s" $full .Release.Namespace | trunc 253 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "cfgw.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "cfgw.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name is required where serviceAccount.create is false: name the ServiceAccount that the controller runs as." .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The value of app.kubernetes.io/name never changes: the data planes' network policies admit the controller by it. */}}
{{- define "cfgw.selectorLabels" -}}
app.kubernetes.io/name: cloudflare-gateway-controller
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "cfgw.labels" -}}
{{- $own := dict
  "app.kubernetes.io/name" "cloudflare-gateway-controller"
  "app.kubernetes.io/instance" .Release.Name
  "app.kubernetes.io/component" "controller"
  "app.kubernetes.io/part-of" "cloudflare-gateway-controller"
  "app.kubernetes.io/managed-by" .Release.Service
  "app.kubernetes.io/version" .Chart.AppVersion
  "helm.sh/chart" (printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_"))
-}}
{{- toYaml (mergeOverwrite (deepCopy .Values.commonLabels) $own) -}}
{{- end -}}

{{/* A digest says all, so a tag beside it is left out. */}}
{{- define "cfgw.image" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (default .tag .image.tag) -}}
{{- end -}}
{{- end -}}

{{/*
Whether Helm asked a real cluster what it serves. Of its own accord Helm knows groups and versions only, so a kind is known to it
where a cluster, or whoever stands in for one, has named it.
*/}}
{{- define "cfgw.clusterIsKnown" -}}
{{- if .Capabilities.APIVersions.Has "apps/v1/Deployment" }}true{{ end -}}
{{- end -}}

{{/* The Gateway API is installed, or it is not known whether it is. */}}
{{- define "cfgw.hasGatewayAPI" -}}
{{- if or (not (include "cfgw.clusterIsKnown" .)) (.Capabilities.APIVersions.Has "gateway.networking.k8s.io/v1/GatewayClass") }}true{{ end -}}
{{- end -}}

{{- define "cfgw.gatewayClass.secretNamespace" -}}
{{- default .Release.Namespace .Values.gatewayClass.secretRef.namespace -}}
{{- end -}}
