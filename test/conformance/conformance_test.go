// Package conformance runs the suite of the Gateway API as it is; which Gateway class, which mode and where the report goes are told by the
// suite's own flags.
package conformance

import (
	"testing"

	"sigs.k8s.io/gateway-api/conformance"
)

func TestConformance(t *testing.T) {
	conformance.RunConformance(t)
}
