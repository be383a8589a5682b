{{- define "cfgw.rbac.cluster" -}}
- {}
{{- end -}}
{{- define "cfgw.rbac.namespace" -}}
- {}
{{- end -}}
