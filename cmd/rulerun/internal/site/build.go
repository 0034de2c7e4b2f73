package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/dsl/pattern"
)

const (
	module   = "github.com/rulerun/rulerun"
	packages = module + "/cmd/rulerun/internal/web/"
)

// ErrNoGo means that the Go command is missing.
var ErrNoGo = errors.New("site builds the engine for browsers with the Go command, which is not installed: see https://go.dev/dl")

// flags make small modules. Code that is inlined takes a quarter of their size, so only what plays has it: the interpreter of
// programs, and bots.
var flags = []string{
	"-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l", "-gcflags=" + module + "/interpreter/...=", "-gcflags=runtime=", "-gcflags=slices=",
	"-gcflags=" + module + "/interpreter/internal/compile=-l", "-gcflags=" + module + "/interpreter/internal/ir=-l",
	"-gcflags=" + module + "/interpreter/internal/code=-l", "-gcflags=" + module + "/interpreter/record=-l",
	"-gcflags=" + module + "/interpreter/internal/wasm=-l", "-gcflags=" + module + "/interpreter/solve=-l",
	"-gcflags=" + module + "/interpreter/review=-l", "-gcflags=" + module + "/interpreter/stats=-l", "-gcflags=" + module + "/interpreter=-l",
}

// build makes both modules, packed, and the script that starts them.
func build(ctx context.Context, version string, say func(string)) (map[string][]byte, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	work, err := os.MkdirTemp("", "rulerun-site-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	source, err := sourceOf(ctx, version, work)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, name := range []string{"engine", "language"} {
		say("building " + name + ".wasm")
		target := filepath.Join(work, name+".wasm")
		if _, err := command(ctx, source, append(append([]string{"build"}, flags...), "-o", target, packages+name)...); err != nil {
			return nil, err
		}
		data, err := files.Read(target, files.Max)
		if err != nil {
			return nil, err
		}
		out[name+".wasm.gz"] = packed(data)
	}
	root, err := command(ctx, source, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{"lib", "misc"} { // it has moved in Go 1.24
		if out["wasm_exec.js"], err = files.Read(filepath.Join(strings.TrimSpace(root), dir, "wasm", "wasm_exec.js"), files.Max); err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("the installed Go has no wasm_exec.js: %w", err)
}

// released matches versions that a module proxy can have.
var released = pattern.Of(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

// sourceOf is a folder in which the Go command finds the source of this program: the one it was built from, if it is
// there. Otherwise it is a new module in a working folder that requires the program's version.
func sourceOf(ctx context.Context, version, work string) (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		dir := filepath.Clean(filepath.Join(filepath.Dir(file), "../../../.."))
		if data, err := files.Read(filepath.Join(dir, "go.mod"), files.Max); err == nil && bytes.HasPrefix(data, []byte("module "+module+"\n")) {
			return dir, nil
		}
	}
	if !released().MatchString(version) {
		return "", fmt.Errorf("this rulerun (%s) was built from a checkout that is not here any more, and is no version that can be fetched: run one that was built here, or a release", version)
	}
	dir := filepath.Join(work, "module")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module site\n\ngo 1.26.0\n"), 0o644); err != nil {
		return "", err
	}
	_, err := command(ctx, dir, "get", packages+"engine@"+version, packages+"language@"+version)
	return dir, err
}

// command runs the Go command for browsers.
func command(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOWASM=")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
