{{/* What a schema cannot say: values that exclude or need each other. One sentence each, with the cure. */}}
{{- define "cfgw.check" -}}
{{- $_ := required "config.clusterName is required: a name of this cluster that no other cluster of the Cloudflare account has, for example --set config.clusterName=production." .Values.config.clusterName -}}
{{- if and (gt (int .Values.replicaCount) 1) (not .Values.leaderElection.enabled) -}}
{{- fail "replicaCount is more than 1 while leaderElection.enabled is false: the pods would undo each other's work; enable the leader election or set replicaCount to 1." -}}
{{- end -}}
{{- with .Values.podDisruptionBudget -}}
{{- if and .enabled (ne (toString .minAvailable) "<nil>") (ne (toString .maxUnavailable) "<nil>") -}}
{{- fail "podDisruptionBudget.minAvailable and podDisruptionBudget.maxUnavailable are both set: set one of them to null." -}}
{{- end -}}
{{- if and .enabled (eq (toString .minAvailable) "<nil>") (eq (toString .maxUnavailable) "<nil>") -}}
{{- fail "podDisruptionBudget.enabled is true, and neither minAvailable nor maxUnavailable is set: set one of them." -}}
{{- end -}}
{{- if and .enabled (ne (toString .minAvailable) "<nil>") (not (kindIs "string" .minAvailable)) (ge (int .minAvailable) (int $.Values.replicaCount)) -}}
{{- fail (printf "podDisruptionBudget.minAvailable is %d with replicaCount %d, which would block every drain of a node: set it lower or use maxUnavailable." (int .minAvailable) (int $.Values.replicaCount)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not .Values.service.enabled) -}}
{{- fail "serviceMonitor.enabled is true while service.enabled is false: a ServiceMonitor scrapes through the Service; enable it." -}}
{{- end -}}
{{- if and .Values.gatewayClass.secretRef.allowedNamespaces (not .Values.gatewayClass.secretRef.name) -}}
{{- fail "gatewayClass.secretRef.allowedNamespaces is set without gatewayClass.secretRef.name: name the Secret that these namespaces may use." -}}
{{- end -}}
{{- end -}}
