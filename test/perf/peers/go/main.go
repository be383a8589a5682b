// A reverse proxy as Go's standard library makes it when its connection pool fits the load: the peer called "go" of the benchmark.
// Usage: proxy LISTEN BACKEND, each as HOST:PORT.
package main

import (
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"sync"
	"time"
)

// buffers lends out the memory that bodies are copied through; without it every request makes 32 KiB of garbage.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte     { return *b.pool.Get().(*[]byte) }
func (b *buffers) Put(used []byte) { b.pool.Put(&used) }

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: proxy LISTEN BACKEND")
	}
	listen, backend := os.Args[1], os.Args[2]
	proxy := &httputil.ReverseProxy{
		Director: func(request *http.Request) {
			request.URL.Scheme = "http"
			request.URL.Host = backend
			request.Header.Set("X-Forwarded-Host", request.Host)
		},
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			// The default of two idle connections per host would dial for almost every request.
			MaxIdleConns:        0,
			MaxIdleConnsPerHost: 1024,
			IdleConnTimeout:     time.Minute,
			DisableCompression:  true,
		},
		BufferPool: &buffers{sync.Pool{New: func() any {
			memory := make([]byte, 32*1024)
			return &memory
		}}},
	}
	log.Fatal(http.ListenAndServe(listen, proxy))
}
