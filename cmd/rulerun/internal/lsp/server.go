// Package lsp is a language server for rule files and boards, by the Language Server Protocol. It owns go.lsp.dev.
//
// It contains the protocol only; package dsl/assist analyses names and completions. Note:
// notifications that change something are handled in order and make a new view (a snapshot). A request uses the view
// at its arrival and runs concurrently with others. So no request waits for the check of all settings, which runs in
// the background and publishes its findings at its end.
package lsp

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Delay is the usual Options.Delay.
const Delay = 150 * time.Millisecond

// Options are the options of a server.
type Options struct {
	// Shipped holds the rule books that come with rulerun.
	Shipped fs.FS
	// Path lists folders that are searched for what is not beside a file.
	Path []string
	// Disk holds the other files, nil for none. A name in it is an absolute path with slashes, without the first slash.
	Disk fs.FS
	// Copies makes copies of shipped files for editors that cannot show documents of the scheme "rulerun"; nil for none.
	Copies Copies
	// Version is the version of the program, for the editor.
	Version string
	// Delay is how long a file must be unchanged before it is checked.
	Delay time.Duration
}

// Copies makes copies of shipped files on the disk.
type Copies interface {
	// Path is the absolute path of the copy of a file, with slashes. The copy is made if it does not exist.
	Path(name, text string) string
	// Name is the name of the file that a path is the copy of.
	Name(path string) (name string, ok bool)
}

// ErrNoShutdown is the result of Serve if the editor ends the connection without a shutdown.
var ErrNoShutdown = errors.New("the editor went away without shutting the server down")

// Serve handles messages until the editor sends exit, its stream ends or ctx is done.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Disk == nil {
		o.Disk = embed.FS{}
	}
	s := &server{
		options: o, ctx: ctx, exit: make(chan struct{}), wake: make(chan struct{}, 1),
		docs: map[string]*document{}, dirty: map[string]due{}, made: map[string]map[string]bool{}, tests: map[string]*results{},
		told: map[string]bool{},
	}
	conn := jsonrpc2.NewConn(stream{jsonrpc2.NewHeaderStream(pipe{in, out}), bufio.NewReader(in)}, jsonrpc2.WithCodec(codec{}))
	s.client = protocol.ClientDispatcher(conn)
	var checking sync.WaitGroup
	checking.Go(s.checkAll)
	conn.Go(ctx, s.handler(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler)))
	var err error
	select {
	case <-s.exit:
	case <-ctx.Done():
	case <-conn.Done():
		err = conn.Err()
	}
	cancel()
	checking.Wait()
	if err == nil && !s.down.Load() {
		err = ErrNoShutdown
	}
	return err
}

// server is one connection with an editor.
type server struct {
	protocol.UnimplementedServer

	options Options
	ctx     context.Context
	client  protocol.Client
	exit    chan struct{}
	ended   sync.Once
	down    atomic.Bool // shutdown was requested
	ready   atomic.Bool // initialize was answered
	bytes   atomic.Bool // characters of positions are bytes
	scheme  atomic.Bool // the editor shows documents of the server's scheme
	drafts  cache[*assist.Draft]
	checks  cache[diag.List]
	calls   sync.Map // context.CancelFunc of requests in progress, by jsonrpc2.ID
	wake    chan struct{}

	publishing sync.Mutex // held while findings are sent, so that old ones do not overwrite new ones

	mu      sync.Mutex
	docs    map[string]*document // replaced, never modified
	roots   []string
	disk    int64
	current *view
	watch   bool                       // the editor can notify of changes on the disk
	dirty   map[string]due             // documents to check
	made    map[string]map[string]bool // dependencies of each checked document
	tests   map[string]*results
	told    map[string]bool // closed files with published findings
}

// view is the present snapshot.
func (s *server) view() *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		s.current = &view{server: s, docs: s.docs, disk: s.disk, roots: s.roots}
	}
	return s.current
}

// viewKey is the key of the view in the context of a request.
type viewKey struct{}

func viewOf(ctx context.Context) *view { v, _ := ctx.Value(viewKey{}).(*view); return v }

// Error codes of the protocol.
const (
	codeNotInitialized = jsonrpc2.Code(-32002)
	codeFailed         = jsonrpc2.Code(-32803)
	codeCancelled      = jsonrpc2.Code(-32800)
)

// handler keeps the order of notifications and runs requests concurrently. A request has its own context: the library
// reuses its contexts for later messages, and a derived context would outlive them.
func (s *server) handler(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(own context.Context, req *jsonrpc2.Request) (any, error) {
		method := req.Method()
		if !req.IsCall() {
			switch {
			case method == protocol.MethodCancelRequest:
				s.cancel(req.Params())
			case s.ready.Load() || method == protocol.MethodExit:
				_, _ = next(s.ctx, req) // a notification has no response that could report an error
			}
			return nil, nil
		}
		switch {
		case method == protocol.MethodInitialize || method == protocol.MethodShutdown && s.ready.Load():
			return next(s.ctx, req)
		case !s.ready.Load():
			return nil, jsonrpc2.NewError(codeNotInitialized, "the first request is initialize")
		case s.down.Load():
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server has been shut down")
		}
		ctx, done := context.WithCancel(context.WithValue(s.ctx, viewKey{}, s.view()))
		id := req.ID()
		if text, ok := id.StringValue(); ok {
			id = jsonrpc2.NewStringID(strings.Clone(text)) // a copy: the library's string may point into its read buffer
		}
		s.calls.Store(id, done)
		defer func() {
			s.calls.Delete(id)
			done()
		}()
		jsonrpc2.Async(own)
		if ctx.Err() == nil {
			result, err := next(ctx, req)
			if ctx.Err() == nil {
				return result, err
			}
		}
		return nil, jsonrpc2.NewError(codeCancelled, "cancelled")
	}
}

func (s *server) cancel(params jsonrpc2.RawMessage) {
	var p protocol.CancelParams
	if protocol.Unmarshal(params, &p) != nil {
		return
	}
	var id jsonrpc2.ID
	switch n := p.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(n))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(n))
	}
	if stop, ok := s.calls.Load(id); ok {
		stop.(context.CancelFunc)()
	}
}

func refuse(format string, args ...any) error {
	return jsonrpc2.NewError(codeFailed, fmt.Sprintf(format, args...))
}

// Initialize implements protocol.Server; so do the exported methods below.
func (s *server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if s.ready.Swap(true) {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server has been initialized before")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		s.addRoot(uri.URI(f.URI))
	}
	//lint:ignore SA1019 many editors send nothing else
	if root := p.RootURI; len(folders) == 0 && root != nil {
		s.addRoot(*root)
	}
	if w := p.Capabilities.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		dynamic := w.DidChangeWatchedFiles.DynamicRegistration
		s.watch = dynamic != nil && *dynamic
	}
	s.scheme.Store(s.options.Copies == nil || p.Capabilities.Workspace != nil && p.Capabilities.Workspace.TextDocumentContent != nil)
	encoding := protocol.PositionEncodingKindUTF16
	if g := p.Capabilities.General; g != nil && slices.Contains(g.PositionEncodings, protocol.PositionEncodingKindUTF8) {
		encoding = protocol.PositionEncodingKindUTF8
		s.bytes.Store(true)
	}
	capabilities := capabilities()
	capabilities.PositionEncoding = encoding
	return &protocol.InitializeResult{
		Capabilities: capabilities,
		ServerInfo:   protocol.ServerInfo{Name: "rulerun", Version: protocol.NewOptional(s.options.Version)},
	}, nil
}

func (s *server) addRoot(u uri.URI) {
	if u.IsFile() {
		s.roots = append(s.roots, filepath.ToSlash(u.FsPath()))
	}
}

func capabilities() protocol.ServerCapabilities {
	on, incremental := true, protocol.TextDocumentSyncKindIncremental
	return protocol.ServerCapabilities{
		TextDocumentSync:           &protocol.TextDocumentSyncOptions{OpenClose: &on, Change: &incremental, Save: protocol.Boolean(true)},
		HoverProvider:              protocol.Boolean(true),
		DefinitionProvider:         protocol.Boolean(true),
		ReferencesProvider:         protocol.Boolean(true),
		DocumentHighlightProvider:  protocol.Boolean(true),
		DocumentSymbolProvider:     protocol.Boolean(true),
		WorkspaceSymbolProvider:    protocol.Boolean(true),
		DocumentFormattingProvider: protocol.Boolean(true),
		FoldingRangeProvider:       protocol.Boolean(true),
		RenameProvider:             &protocol.RenameOptions{PrepareProvider: &on},
		CompletionProvider:         &protocol.CompletionOptions{TriggerCharacters: []string{".", "\"", "@", "|"}},
		CodeActionProvider:         &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}},
		Workspace: &protocol.WorkspaceOptions{WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
			Supported: &on, ChangeNotifications: protocol.Boolean(true),
		}, TextDocumentContent: &protocol.TextDocumentContentOptions{Schemes: []string{scheme}}},
		CodeLensProvider:       &protocol.CodeLensOptions{},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{commandRunTest, commandRunTests}},
		SemanticTokensProvider: &protocol.SemanticTokensOptions{
			Legend: protocol.SemanticTokensLegend{TokenTypes: tokenTypes, TokenModifiers: tokenModifiers}, Full: protocol.Boolean(true),
		},
	}
}

func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.mu.Lock()
	watch := s.watch
	s.mu.Unlock()
	if watch {
		go func() { // the response arrives on the stream, which this goroutine must not block
			_ = s.client.RegisterCapability(s.ctx, &protocol.RegistrationParams{Registrations: []protocol.Registration{{
				ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles,
				RegisterOptions: protocol.LSPAny(`{"watchers":[{"globPattern":"**/*.rules"},{"globPattern":"**/*.{yaml,yml}"},{"globPattern":"**/*.clauses"}]}`),
			}}})
		}()
	}
	return nil
}

func (s *server) Shutdown(context.Context) error {
	s.down.Store(true)
	return nil
}

func (s *server) Exit(context.Context) error {
	s.ended.Do(func() { close(s.exit) })
	return nil
}

// TextDocumentContent implements protocol.Server: the text of a shipped file.
func (s *server) TextDocumentContent(ctx context.Context, p *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	name, ok := strings.CutPrefix(string(p.URI), scheme+":/")
	file, found := viewOf(ctx).file(name, &reads{})
	if !ok || !shipped(name) || !found {
		return nil, refuse("there is no %s", p.URI)
	}
	return &protocol.TextDocumentContentResult{Text: file.Text()}, nil
}

func (s *server) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	d := p.TextDocument
	s.put(&document{uri: d.URI, name: s.nameOf(d.URI), version: d.Version, file: source.New(s.nameOf(d.URI), d.Text)})
	return nil
}

// DidChange implements protocol.Server. It ignores changes of a document that is not open.
func (s *server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	name := s.nameOf(p.TextDocument.URI)
	was := s.view().docs[name]
	if was == nil {
		return nil
	}
	file := was.file
	for _, c := range p.ContentChanges {
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			file = source.New(name, c.Text)
		case *protocol.TextDocumentContentChangePartial:
			from := s.offset(file, c.Range.Start)
			to := max(from, s.offset(file, c.Range.End))
			file = source.New(name, file.Text()[:from]+c.Text+file.Text()[to:])
		}
	}
	s.put(&document{uri: was.uri, name: name, version: p.TextDocument.Version, file: file, edited: true})
	return nil
}

// put opens a document or replaces its text.
func (s *server) put(d *document) {
	s.mu.Lock()
	s.docs = maps.Clone(s.docs)
	s.docs[d.name] = d
	s.current = nil
	delete(s.tests, d.name)
	s.mu.Unlock()
	s.soil(d.name)
}

func (s *server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	name := s.nameOf(p.TextDocument.URI)
	s.mu.Lock()
	s.docs = maps.Clone(s.docs)
	delete(s.docs, name)
	delete(s.dirty, name)
	delete(s.made, name)
	delete(s.tests, name)
	s.current = nil
	s.mu.Unlock()
	s.soil(name)
	s.publishing.Lock()
	defer s.publishing.Unlock()
	return s.client.PublishDiagnostics(s.ctx, &protocol.PublishDiagnosticsParams{URI: p.TextDocument.URI, Diagnostics: []protocol.Diagnostic{}})
}

// DidSave implements protocol.Server: other documents may read the file from the disk.
func (s *server) DidSave(context.Context, *protocol.DidSaveTextDocumentParams) error {
	s.diskChanged()
	return nil
}

func (s *server) DidChangeWatchedFiles(context.Context, *protocol.DidChangeWatchedFilesParams) error {
	s.diskChanged()
	return nil
}

func (s *server) DidChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := seq.Set(p.Event.Removed, func(f protocol.WorkspaceFolder) string { return filepath.ToSlash(uri.URI(f.URI).FsPath()) })
	s.roots = slices.DeleteFunc(slices.Clone(s.roots), func(root string) bool { return gone[root] })
	for _, f := range p.Event.Added {
		s.addRoot(uri.URI(f.URI))
	}
	s.current = nil
	return nil
}
