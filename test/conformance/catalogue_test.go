package conformance

import (
	"encoding/json"
	"os"
	"testing"

	"sigs.k8s.io/gateway-api/conformance/tests"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
	"sigs.k8s.io/gateway-api/pkg/features"
)

type profile struct {
	Name     string                 `json:"name"`
	Core     []features.FeatureName `json:"core"`
	Extended []features.FeatureName `json:"extended"`
}

type test struct {
	Name        string                 `json:"name"`
	Features    []features.FeatureName `json:"features"`
	Provisional bool                   `json:"provisional"`
}

// TestCatalogue writes which tests the suite has and what each needs: the events of a run tell no more than names.
func TestCatalogue(t *testing.T) {
	path := os.Getenv("CONFORMANCE_CATALOGUE")
	if path == "" {
		t.Skip("CONFORMANCE_CATALOGUE names no file")
	}
	catalogue := struct {
		Profiles []profile `json:"profiles"`
		Tests    []test    `json:"tests"`
	}{}
	for _, each := range []suite.ConformanceProfile{suite.GatewayHTTPConformanceProfile, suite.GatewayGRPCConformanceProfile} {
		catalogue.Profiles = append(catalogue.Profiles, profile{
			Name:     string(each.Name),
			Core:     each.CoreFeatures.UnsortedList(),
			Extended: each.ExtendedFeatures.UnsortedList(),
		})
	}
	for _, each := range tests.ConformanceTests {
		catalogue.Tests = append(catalogue.Tests, test{Name: each.ShortName, Features: each.Features, Provisional: each.Provisional})
	}
	text, err := json.Marshal(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
