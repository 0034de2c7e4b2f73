// Package web serves games to a browser on the same machine: a page, embedded here, and package door behind HTTP.
//
// The page has no build step and loads nothing from elsewhere. It speaks with the door through one function, whatever
// stands behind it: see page/door.js. Note: any page in the browser may send requests to this
// address. So the server knows its own pages by a secret in the path, and refuses other hosts (a name that leads to this
// machine) and other origins.
package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/dsl/catalogue"
)

//go:embed page
var embedded embed.FS

//go:embed page/index.html
var index string

// Page is the files of the page: index.html and what it loads.
func Page() fs.FS {
	sub, err := fs.Sub(embedded, "page")
	if err != nil { // the folder is embedded
		panic(err)
	}
	return sub
}

// MaxGames is how many games a server remembers.
const MaxGames = 64

// The limits of a request.
const (
	maxBody    = 4 << 20
	maxHeaders = 16 << 10
	atOnce     = 8                // requests that are worked on at the same time; others wait
	patience   = 60 * time.Second // for one request with its answer
)

// Policy lets the page load its own files and nothing else.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// NewSecret makes a secret for Handler.
func NewSecret() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// leafletPolicy lets a leaflet load nothing; its style is in it.
const leafletPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Leaflet makes the page of the rules of a game, in the language that a browser prefers.
type Leaflet func(game, languages string) ([]byte, error)

// spoken is the language of an answer to a request: one that is wanted for all of them, or what the browser prefers.
func spoken(lang string, r *http.Request) string {
	return locale.Choose(lang, r.Header.Get("Accept-Language"))
}

// refuse answers with a text of the catalogue in the language of the browser.
func refuse(w http.ResponseWriter, r *http.Request, status int, key string) {
	http.Error(w, locale.For(spoken("", r)).Say(key), status)
}

// Handler serves the page, the door, leaflets, language servers and news of changed files below "/SECRET/". It answers requests
// to loopback hosts only. The page begins in the language lang, or with "" in the one that the browser prefers.
func Handler(host *door.Host, secret, lang string, language lsp.Options, changes *Changes, leaflet Leaflet) http.Handler {
	root := "/" + secret + "/"
	files := http.FileServerFS(Page())
	slots := make(chan struct{}, atOnce)
	mux := http.NewServeMux()
	mux.Handle("GET "+root, http.StripPrefix(strings.TrimSuffix(root, "/"), files))
	for _, method := range []string{http.MethodGet, http.MethodPost} { // an address of a server before this one
		mux.HandleFunc(method+" /", func(w http.ResponseWriter, r *http.Request) { refuse(w, r, http.StatusNotFound, "server.none") })
	}
	mux.HandleFunc("GET "+root+"{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Vary", "Accept-Language")
		_, _ = io.WriteString(w, locale.Page(index, cmp.Or(spoken(lang, r), "en"))) // the browser may be gone
	})
	for name, texts := range locale.PageFiles(catalogue.PseudoLang) {
		mux.HandleFunc("GET "+root+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(texts)
		})
	}
	mux.HandleFunc("POST "+root+"door", func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			refuse(w, r, http.StatusUnsupportedMediaType, "server.json")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			refuse(w, r, http.StatusRequestEntityTooLarge, "server.large")
			return
		}
		if err != nil {
			refuse(w, r, http.StatusBadRequest, "server.broken")
			return
		}
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-r.Context().Done():
			return
		}
		answer := host.Serve(body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(answer) // the page may be gone
	})
	mux.HandleFunc("GET "+root+"leaflet.html", func(w http.ResponseWriter, r *http.Request) {
		page, err := leaflet(r.FormValue("game"), cmp.Or(r.FormValue("lang"), lang, r.Header.Get("Accept-Language")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", leafletPolicy)
		_, _ = w.Write(page) // the browser may be gone
	})
	mux.HandleFunc("GET "+root+"changes", changes.listen)
	talks := &languages{options: language, changes: changes, slots: make(chan struct{}, maxLanguages)}
	mux.HandleFunc("GET "+root+"language", talks.listen)
	mux.HandleFunc("POST "+root+"language", talks.tell)
	return guarded(mux)
}

// guarded refuses requests that do not come from a page of this server, and adds the headers that protect the page.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback(r.Host) {
			refuse(w, r, http.StatusMisdirectedRequest, "server.host")
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
			refuse(w, r, http.StatusForbidden, "server.origin")
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			refuse(w, r, http.StatusForbidden, "server.site")
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch path.Ext(r.URL.Path) {
		case ".js":
			h.Set("Content-Type", "text/javascript; charset=utf-8") // the table of the system may say otherwise
		case ".wasm":
			h.Set("Content-Type", "application/wasm")
		}
		h.Set("Cache-Control", "no-cache")
		next.ServeHTTP(w, r)
	})
}

// loopback reports whether a request names this machine by a loopback address. Any port will do: a tunnel may change it.
func loopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// Serve answers requests on a listener until the context ends, then lets those at hand finish.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{
		Handler: h, MaxHeaderBytes: maxHeaders, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: patience, WriteTimeout: patience,
		IdleTimeout: 2 * patience, BaseContext: func(net.Listener) context.Context { return ctx }, // ends streams
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if s.Shutdown(last) != nil {
			_ = s.Close()
		}
	}()
	err := s.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	return err
}
