// The modules whose CRDs and OpenAPI documents `npm run imports` reads. Nothing of them is compiled.
module imports

go 1.26

require (
	k8s.io/kubernetes v1.36.3
	sigs.k8s.io/gateway-api v1.6.3
	sigs.k8s.io/mcs-api v0.5.2
)
