{{/* The file that `cfgwctl operator --config` reads: the settings that the rules see, and the operator's own. */}}
{{- define "cfgw.config" -}}
{{- $pull := default .Values.imagePullSecrets .Values.config.imagePullSecrets -}}
{{- $names := list -}}
{{- range $pull }}{{ $names = append $names .name }}{{ end -}}
clusterName: {{ .Values.config.clusterName | quote }}
clusterDomain: {{ .Values.config.clusterDomain | quote }}
controllerNamespace: {{ .Release.Namespace | quote }}
images:
  proxy: {{ include "cfgw.image" (dict "image" .Values.image "tag" .Chart.AppVersion) | quote }}
  cloudflared: {{ include "cfgw.image" (dict "image" .Values.cloudflared.image "tag" "") | quote }}
imagePullSecrets: {{ toJson $names }}
{{- with .Values.config.gatewayDefaults }}
gatewayDefaults: {{- toYaml . | nindent 2 }}
{{- else }}
gatewayDefaults: {}
{{- end }}
maxConcurrentRollouts: {{ .Values.config.maxConcurrentRollouts | int }}
logLevel: {{ .Values.config.logLevel }}
healthPort: 8081
metricsPort: 8080
leaderElection:
  enabled: {{ .Values.leaderElection.enabled }}
  namespace: {{ .Release.Namespace | quote }}
  name: {{ .Values.leaderElection.leaseName | quote }}
{{- with .Values.config.cloudflareApi }}
cloudflareApi: {{ . | quote }}
{{- end }}
{{- end -}}
