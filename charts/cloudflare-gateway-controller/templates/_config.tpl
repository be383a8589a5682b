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
metricsAddress: 0.0.0.0:8080
healthAddress: 0.0.0.0:8081
leaderElection:
  enabled: {{ .Values.leaderElection.enabled }}
  leaseName: {{ .Values.leaderElection.leaseName | quote }}
  leaseDuration: {{ .Values.leaderElection.leaseDuration | quote }}
  renewDeadline: {{ .Values.leaderElection.renewDeadline | quote }}
  retryPeriod: {{ .Values.leaderElection.retryPeriod | quote }}
cloudflare:
  apiUrl: {{ .Values.config.cloudflare.apiUrl | quote }}
{{- end -}}
