// A stand-in for cloudflared, which cannot be built from the Go modules a test may use: it takes the same arguments, reads the same token file,
// answers the same probes and treats the proxy behind it the same way. What it lacks is Cloudflare: instead of dialling an edge it listens
// itself, and whoever connects there plays the edge.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The exit codes of the real one.
const (
	badArguments = 1
	badToken     = 255
)

func main() {
	log.SetFlags(log.LstdFlags | log.LUTC)
	settings, err := parseArguments(os.Args[1:], os.Getenv)
	if err != nil {
		fail(badArguments, err)
	}
	if settings.asksReady {
		os.Exit(askReady(settings.metrics))
	}
	if _, err := readToken(settings.tokenFile); err != nil {
		fail(badToken, err)
	}
	if err := serve(settings); err != nil {
		fail(badArguments, err)
	}
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(code)
}

// serve returns when the connector was asked to end and its streams have ended, or the grace period is over.
func serve(settings settings) error {
	state := newState()
	metrics, err := net.Listen("tcp", settings.metrics)
	if err != nil {
		return fmt.Errorf("the metrics address %s cannot be used: %w", settings.metrics, err)
	}
	go func() { _ = http.Serve(metrics, observed(state)) }()

	edge, err := net.Listen("tcp", settings.edge)
	if err != nil {
		return fmt.Errorf("the edge's address %s cannot be used: %w", settings.edge, err)
	}
	streams, cut := context.WithCancel(context.Background())
	defer cut()
	server := edgeServer(newOrigin(settings.origin), state, streams)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(edge) }()
	state.connected(connections)
	log.Printf("connector %s: %s stands for the edge, requests go to %s", state.id, settings.edge, settings.origin)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	select {
	case err := <-failed:
		return err
	case <-stop:
	}
	// A second signal ends the process at once, as it ends the real one.
	signal.Reset(syscall.SIGTERM, syscall.SIGINT)
	return drain(server, state, cut, settings.grace)
}

// The metrics server of the real one takes half a second to end, so nothing ends faster.
const shortestEnd = 500 * time.Millisecond

// drain keeps serving what comes until no stream is left; at the end of the grace period the streams are cut.
func drain(server *http.Server, state *state, cut context.CancelFunc, grace time.Duration) error {
	log.Printf("asked to end: %d streams open, %s of grace", state.open(), grace)
	state.connected(0)
	end := time.Now().Add(grace)
	time.Sleep(min(shortestEnd, grace))
	for state.open() > 0 && time.Now().Before(end) {
		time.Sleep(10 * time.Millisecond)
	}
	log.Printf("ending with %d streams open", state.open())
	cut()
	if err := server.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
