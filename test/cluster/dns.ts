/** CoreDNS as the cluster's DNS: the objects that run it. */

const metadata = { name: 'coredns', namespace: 'kube-system' };
const labels = { 'k8s-app': 'kube-dns' };

const corefile = `.:53 {
  errors
  ready
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    ttl 5
  }
}
`;

/** The objects, with the image that is run and the address under which pods ask. There is no name server above it: other names do not exist. */
export function dnsObjects(image: string, clusterIP: string): object[] {
  const container = {
    name: 'coredns',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: ['-conf', '/etc/coredns/Corefile'],
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
  };
  const volumes = [{ name: 'config', configMap: { name: metadata.name } }];
  const spec = { serviceAccountName: metadata.name, dnsPolicy: 'Default', containers: [container], volumes };
  const port = (name: string, protocol: string): object => ({ name, port: 53, protocol });
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: metadata.name },
      rules: [
        { apiGroups: [''], resources: ['services', 'namespaces', 'pods'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: metadata.name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: corefile } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: metadata.namespace },
      spec: { clusterIP, selector: labels, ports: [port('dns', 'UDP'), port('dns-tcp', 'TCP')] },
    },
  ];
}
