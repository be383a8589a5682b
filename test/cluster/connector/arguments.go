package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

type settings struct {
	metrics   string
	grace     time.Duration
	tokenFile string
	// edge is the address to listen on, in the place of an edge to dial.
	edge string
	// origin is where every request goes: the catch-all of the tunnel's document.
	origin string
	// asksReady is the command that asks a running connector whether it is ready.
	asksReady bool
}

const longestGrace = 3 * time.Minute

// What the real one knows and a test without Cloudflare has no use for; a name that is in neither list is refused, so that a slip in the
// arguments we emit shows.
var (
	ignoredSwitches = []string{"no-autoupdate", "no-prechecks", "management-diagnostics"}
	ignoredValues   = []string{"protocol", "loglevel", "ha-connections", "cacert", "region", "edge-ip-version", "retries"}
)

func parseArguments(args []string, env func(string) string) (settings, error) {
	s := settings{
		metrics:   "0.0.0.0:20241",
		grace:     30 * time.Second,
		tokenFile: env("TUNNEL_TOKEN_FILE"),
		edge:      or(env("CONNECTOR_EDGE"), ":7844"),
		origin:    or(env("CONNECTOR_ORIGIN"), "http://127.0.0.1:8080"),
	}
	var words []string
	for len(args) > 0 {
		if !strings.HasPrefix(args[0], "--") {
			words, args = append(words, args[0]), args[1:]
			continue
		}
		rest, err := s.takeFlag(args)
		if err != nil {
			return s, err
		}
		args = rest
	}
	switch strings.Join(words, " ") {
	case "tunnel run":
	case "tunnel ready":
		s.asksReady = true
	default:
		return s, fmt.Errorf("unknown command %q: there are \"tunnel run\" and \"tunnel ready\"", strings.Join(words, " "))
	}
	if !s.asksReady && s.tokenFile == "" {
		return s, errors.New("\"tunnel run\" needs --token-file or TUNNEL_TOKEN_FILE")
	}
	return s, nil
}

// takeFlag reads one flag, with the word after it if that is its value, and gives the arguments that are left.
func (s *settings) takeFlag(args []string) ([]string, error) {
	name, value, joined := strings.Cut(strings.TrimPrefix(args[0], "--"), "=")
	rest := args[1:]
	if contains(ignoredSwitches, name) {
		return rest, nil
	}
	if !joined {
		if len(rest) == 0 {
			return nil, fmt.Errorf("--%s has no value", name)
		}
		value, rest = rest[0], rest[1:]
	}
	return rest, s.set(name, value)
}

func (s *settings) set(name, value string) error {
	switch name {
	case "metrics":
		s.metrics = value
	case "token-file":
		s.tokenFile = value
	case "edge":
		s.edge = value
	case "grace-period":
		grace, err := time.ParseDuration(value)
		if err != nil || grace > longestGrace {
			return fmt.Errorf("--grace-period %s is not a duration of at most %s", value, longestGrace)
		}
		s.grace = grace
	default:
		if !contains(ignoredValues, name) {
			return fmt.Errorf("unknown flag --%s", name)
		}
	}
	return nil
}

func contains(list []string, name string) bool {
	for _, each := range list {
		if each == name {
			return true
		}
	}
	return false
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
