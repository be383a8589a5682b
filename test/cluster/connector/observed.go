package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// The real one holds four connections to the edge.
const connections = 4

// state is what the probes and the metrics tell.
type state struct {
	id string

	mutex    sync.Mutex
	ready    int
	streams  int
	total    int
	failures int
	byCode   map[int]int
}

func newState() *state {
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	random[6], random[8] = random[6]&0x0f|0x40, random[8]&0x3f|0x80
	id := fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:])
	return &state{id: id, byCode: map[int]int{}}
}

func (s *state) connected(count int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ready = count
}

func (s *state) open() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.streams
}

func (s *state) begin() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.streams++
	s.total++
}

func (s *state) end() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.streams--
}

func (s *state) answered(code int, failed bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.byCode[code]++
	if failed {
		s.failures++
	}
}

// observed is the server behind --metrics.
func observed(s *state) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/ready", s.serveReady)
	mux.HandleFunc("/metrics", s.serveMetrics)
	mux.HandleFunc("/healthcheck", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "OK\n") })
	return mux
}

func (s *state) serveReady(w http.ResponseWriter, _ *http.Request) {
	s.mutex.Lock()
	ready := s.ready
	s.mutex.Unlock()
	status := http.StatusOK
	if ready == 0 {
		status = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"status": status, "readyConnections": ready, "connectorId": s.id})
}

func (s *state) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	line := func(kind, name string, value int) { fmt.Fprintf(w, "# TYPE %s %s\n%s %d\n", name, kind, name, value) }
	line("gauge", "cloudflared_tunnel_ha_connections", s.ready)
	line("gauge", "cloudflared_tunnel_concurrent_requests_per_tunnel", s.streams)
	line("counter", "cloudflared_tunnel_total_requests", s.total)
	line("counter", "cloudflared_tunnel_request_errors", s.failures)
	line("gauge", "cloudflared_orchestration_config_version", 0)
	fmt.Fprintln(w, "# TYPE cloudflared_tunnel_response_by_code counter")
	codes := make([]int, 0, len(s.byCode))
	for code := range s.byCode {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		fmt.Fprintf(w, "cloudflared_tunnel_response_by_code{status_code=\"%d\"} %d\n", code, s.byCode[code])
	}
}

// askReady is the exec probe: it asks a running connector on this machine.
func askReady(address string) int {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if host == "" || host == "0.0.0.0" {
		host = "127.0.0.1"
	}
	client := http.Client{Timeout: 5 * time.Second}
	answer, err := client.Get("http://" + net.JoinHostPort(host, port) + "/ready")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 1
	}
	return 0
}
