package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// origin is the service of the one rule: its address, and the pool of connections to it.
type origin struct {
	address   *url.URL
	transport *http.Transport
	warpTag   string
}

// The numbers are those of the real one's originRequest defaults with the values our document sets.
func newOrigin(address string) *origin {
	parsed, err := url.Parse(address)
	if err != nil {
		log.Fatal(err)
	}
	dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return &origin{address: parsed, warpTag: newState().id, transport: &http.Transport{
		DialContext:           dialer.DialContext,
		MaxIdleConns:          2000,
		MaxIdleConnsPerHost:   2000,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}}
}

// edgeServer speaks HTTP/1.1 and HTTP/2 without TLS. When `streams` is cancelled, what is still going on breaks off.
func edgeServer(origin *origin, state *state, streams context.Context) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Protocols:                    protocols,
		DisableGeneralOptionsHandler: true,
		MaxHeaderBytes:               1 << 20,
		BaseContext:                  func(net.Listener) context.Context { return streams },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			state.begin()
			defer state.end()
			origin.carry(w, r, state)
		}),
	}
}

// carry hands the request on as it came, and never twice.
func (o *origin) carry(w http.ResponseWriter, r *http.Request, state *state) {
	outgoing := r.Clone(r.Context())
	upgrade := strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
	o.rewrite(outgoing, upgrade)
	answer, err := o.transport.RoundTrip(outgoing)
	if err != nil {
		log.Printf("%s %s: %v", r.Method, r.URL.RequestURI(), err)
		state.answered(http.StatusBadGateway, true)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	state.answered(answer.StatusCode, false)
	if answer.StatusCode == http.StatusSwitchingProtocols {
		join(w, r, answer)
		return
	}
	give(w, answer)
}

func (o *origin) rewrite(r *http.Request, upgrade bool) {
	r.RequestURI = ""
	r.URL.Scheme, r.URL.Host = o.address.Scheme, o.address.Host
	r.Header.Set("Cf-Warp-Tag-Id", o.warpTag)
	if _, named := r.Header["User-Agent"]; !named {
		r.Header.Set("User-Agent", "")
	}
	if !upgrade {
		r.Header.Set("Connection", "keep-alive")
		// With a body that is not known to be empty, an empty POST arrives chunked and nothing is repeated on a new connection, as with the real one.
		if r.Body == http.NoBody {
			r.Body = io.NopCloser(strings.NewReader(""))
		}
		return
	}
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	r.Header.Set("Sec-Websocket-Version", "13")
	r.Body, r.ContentLength = nil, 0
}

// Without these an answer of known length is held back until it has some size.
var flushedTypes = []string{"text/event-stream", "application/grpc", "application/x-ndjson"}

func give(w http.ResponseWriter, answer *http.Response) {
	for name, values := range answer.Header {
		// A hop's own fields do not pass from one protocol to the other.
		if name != "Connection" && name != "Keep-Alive" {
			w.Header()[name] = values
		}
	}
	for name := range answer.Trailer {
		w.Header().Add("Trailer", name)
	}
	w.WriteHeader(answer.StatusCode)
	kind := answer.Header.Get("Content-Type")
	flush := answer.ContentLength < 0 ||
		slices.ContainsFunc(flushedTypes, func(each string) bool { return strings.HasPrefix(kind, each) })
	if err := pump(w, answer.Body, flush); err != nil {
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Trailer {
		w.Header()[http.TrailerPrefix+name] = values
	}
}

func pump(w http.ResponseWriter, body io.Reader, flush bool) error {
	controller := http.NewResponseController(w)
	if flush {
		_ = controller.Flush()
	}
	buffer := make([]byte, 16<<10)
	for {
		count, err := body.Read(buffer)
		if count > 0 {
			if _, failed := w.Write(buffer[:count]); failed != nil {
				return failed
			}
			if flush {
				_ = controller.Flush()
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// join ties the two connections together; the first direction that ends, ends both.
func join(w http.ResponseWriter, r *http.Request, answer *http.Response) {
	far, ok := answer.Body.(io.ReadWriteCloser)
	hijacker, can := w.(http.Hijacker)
	if !ok || !can {
		panic(http.ErrAbortHandler)
	}
	near, buffered, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer near.Close()
	if err := answerHead(near, answer); err != nil {
		return
	}
	ended := make(chan struct{}, 2)
	copyAll := func(to io.Writer, from io.Reader) {
		_, _ = io.Copy(to, from)
		ended <- struct{}{}
	}
	go copyAll(near, far)
	go copyAll(far, buffered.Reader)
	select {
	case <-ended:
	case <-r.Context().Done():
	}
}

// answerHead writes the status and the header in one piece.
func answerHead(near io.Writer, answer *http.Response) error {
	var text bytes.Buffer
	head := &http.Response{StatusCode: answer.StatusCode, ProtoMajor: 1, ProtoMinor: 1, Header: answer.Header}
	if err := head.Write(&text); err != nil {
		return err
	}
	_, err := near.Write(text.Bytes())
	return err
}
