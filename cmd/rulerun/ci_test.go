package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/cli"
)

// top is the folder of the repository.
const top = "../.."

// builtOnce builds the command as a release does.
var builtOnce = sync.OnceValues(func() (string, error) {
	flags, err := linkerFlags()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "rulerun")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-ldflags", flags, "-o", filepath.Join(dir, "rulerun"), ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return dir, nil
})

// world is a machine to run scripts on: a repository, the command on the path, and nothing of the machine's own.
type world struct {
	dir string // the repository
	env []string
	bin string // a folder on the path
	own string // the command as the action has built it here, "" before
}

func newWorld(t *testing.T) *world {
	t.Helper()
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s", tool)
		}
	}
	built, err := builtOnce()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{dir: t.TempDir(), bin: t.TempDir()}
	kept, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output() // what Go has built stands in the home of who tests
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(kept))
	w.env = append(os.Environ(), "GOCACHE="+caches[0], "GOMODCACHE="+caches[1], "PATH="+w.bin+":"+built+":"+os.Getenv("PATH"), "NO_COLOR=1", "HOME="+t.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	w.run(t, 0, "git init --quiet --initial-branch main")
	return w
}

// bash runs a script as the services do, and returns its exit code and all it printed.
func (w *world) bash(t *testing.T, script string, env ...string) (int, string) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = w.dir, append(slices.Clone(w.env), env...)
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// run runs a script that must end with an exit code.
func (w *world) run(t *testing.T, exit int, script string, env ...string) string {
	t.Helper()
	got, out := w.bash(t, script, env...)
	if got != exit {
		t.Fatalf("exit code %d, want %d\n%s\n%s", got, exit, script, out)
	}
	return out
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sample copies the sample repository into the world and commits it.
func (w *world) sample(t *testing.T) {
	t.Helper()
	if err := os.CopyFS(w.dir, os.DirFS(filepath.Join(top, "examples/ci/sample"))); err != nil {
		t.Fatal(err)
	}
	w.commit(t)
}

func (w *world) commit(t *testing.T) string {
	t.Helper()
	w.run(t, 0, "git add -A && git commit --quiet -m change")
	return strings.TrimSpace(w.run(t, 0, "git rev-parse HEAD"))
}

// read reads a YAML file of the repository; keys it does not expect are a fault.
func read(t *testing.T, path string, into any) {
	t.Helper()
	file, err := os.Open(filepath.Join(top, path))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := yaml.NewDecoder(file)
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

var (
	calls = regexp.MustCompile(`(?m)\brulerun ([a-z]+)((?: [^|;&>)#\n]*)?)`)
	flags = regexp.MustCompile(`(^| )--([a-z][a-z-]*)`)
)

// understood holds every call of rulerun in a text against the help of its verb.
func understood(t *testing.T, where, text string) {
	t.Helper()
	found := calls.FindAllStringSubmatch(text, -1)
	for _, m := range found {
		var out bytes.Buffer
		code := cli.Main([]string{m[1], "--help"}, strings.NewReader(""), &out, &out)
		help := out.String()
		if code != 0 || !strings.HasPrefix(help, "rulerun "+m[1]) { // an old name begins with a note
			t.Errorf("%s: rulerun has no verb %q", where, m[1])
			continue
		}
		for _, f := range flags.FindAllStringSubmatch(m[2], -1) {
			if f[2] != "help" && !regexp.MustCompile(` --`+f[2]+`[ ,\n]`).MatchString(help) {
				t.Errorf("%s: rulerun %s has no flag --%s", where, m[1], f[2])
			}
		}
	}
	if len(found) == 0 {
		t.Errorf("%s does not call rulerun", where)
	}
}

type hook struct {
	ID            string   `yaml:"id"`
	Name          string   `yaml:"name"`
	Description   string   `yaml:"description"`
	Language      string   `yaml:"language"`
	Entry         string   `yaml:"entry"`
	Args          []string `yaml:"args"`
	Files         string   `yaml:"files"`
	PassFilenames *bool    `yaml:"pass_filenames"`
}

// run runs a hook as pre-commit does, over files of a commit. It is fine when it ends well and changes no file.
func (h *hook) run(t *testing.T, w *world, names ...string) (fine bool, out string) {
	t.Helper()
	files := regexp.MustCompile(h.Files)
	names = slices.DeleteFunc(names, func(n string) bool { return !files.MatchString(n) })
	if len(names) == 0 {
		return true, "no files"
	}
	words := append(strings.Fields(h.Entry), h.Args...)
	if h.PassFilenames == nil || *h.PassFilenames {
		words = append(words, names...)
	}
	script := "'" + strings.Join(words, "' '") + "'"
	before := w.run(t, 0, "git diff | git hash-object --stdin")
	code, out := w.bash(t, script)
	return code == 0 && w.run(t, 0, "git diff | git hash-object --stdin") == before, out
}

// TestHooks runs the hooks over a repository with good files and with bad ones.
func TestHooks(t *testing.T) {
	w := newWorld(t)
	var hooks []*hook
	read(t, ".pre-commit-hooks.yaml", &hooks)
	byID := map[string]*hook{}
	for _, h := range hooks {
		if h.Language != "golang" || h.Name == "" || h.Description == "" || !strings.HasPrefix(h.Entry, "rulerun ") {
			t.Errorf("hook %+v", h)
		}
		understood(t, h.ID, h.Entry)
		byID[h.ID] = h
	}
	w.sample(t)
	all := strings.Fields(w.run(t, 0, "git ls-files"))
	for _, h := range hooks {
		if fine, out := h.run(t, w, slices.Clone(all)...); !fine {
			t.Errorf("%s fails in the sample: %s", h.ID, out)
		}
		if fine, out := h.run(t, w, "README.md"); !fine || out != "no files" {
			t.Errorf("%s looks at README.md: %s", h.ID, out)
		}
	}

	w.write(t, "rules/ugly.rules", "change ugly  \"Ugly\" for parchis\nset capture_count=5\n")
	w.run(t, 0, "git add -A")
	if fine, _ := byID["rulerun-fmt"].run(t, w, "rules/ugly.rules"); fine {
		t.Error("an ugly file passes")
	}
	if fine, out := byID["rulerun-fmt"].run(t, w, "rules/ugly.rules"); !fine {
		t.Error("a file is formatted twice", out)
	}
	if fine, out := byID["rulerun-check"].run(t, w, "rules/ugly.rules"); !fine {
		t.Error("a file that was mended does not pass", out)
	}
	w.write(t, "rules/bad.rules", "change bad \"Bad\" for parchis\n\nset capture_cuont = 5\n")
	if fine, out := byID["rulerun-check"].run(t, w, "rules/bad.rules"); fine || !strings.Contains(out, "did you mean \"capture_count\"") {
		t.Error("a bad file passes", out)
	}
	w.run(t, 0, "rm rules/bad.rules")

	// A repository without rules, whose commits are not about them.
	other := newWorld(t)
	other.write(t, "settings.yaml", "a: 1\n")
	other.run(t, 0, "git add -A")
	for _, id := range []string{"rulerun-check", "rulerun-test"} {
		if fine, out := byID[id].run(t, other, "settings.yaml"); !fine {
			t.Errorf("%s fails without rules: %s", id, out)
		}
	}
	// A change in one file that breaks a test of another.
	w.run(t, 0, "sed -i 's/capture_count = 10/capture_count = 9/' rules/beach.rules")
	if fine, out := byID["rulerun-test"].run(t, w, "rules/beach.rules"); fine || !strings.Contains(out, "winter.rules") {
		t.Error("a test that fails passes", out)
	}

	if tool, err := exec.LookPath("pre-commit"); err == nil {
		path, err := filepath.Abs(filepath.Join(top, ".pre-commit-hooks.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		w.run(t, 0, tool+" validate-manifest "+path)
		w.run(t, 0, tool+" validate-config .pre-commit-config.yaml")
	}
}

type step struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	Uses  string            `yaml:"uses"`
	If    string            `yaml:"if"`
	With  map[string]string `yaml:"with"`
	Env   map[string]string `yaml:"env"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
}

type action struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Inputs      map[string]struct {
		Description string `yaml:"description"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Description string `yaml:"description"`
		Value       string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

var variable = regexp.MustCompile(`\$\{\{ ([^}]*) \}\}`)

// ran is what a run of the action left.
type ran struct {
	codes   map[string]int // of each step
	out     string
	outputs map[string]string // of the action
	summary string
	remark  string // what gh was given
}

// do runs the action's steps one after the other, those after a failure too, as they ask for it.
func (a *action) do(t *testing.T, w *world, context map[string]string) ran {
	t.Helper()
	temp := t.TempDir()
	repository, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(temp, "rulerun", "rulerun")
	if w.own != "" { // Go sees that it is up to date and does not link it again
		if err := os.Mkdir(filepath.Dir(program), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(w.own, program); err != nil {
			t.Fatal(err)
		}
	}
	w.own = program
	gh := "#!/usr/bin/env bash\necho \"$@\" >>'" + temp + "/gh.args'\ncat >'" + temp + "/gh.body'\n"
	if err := os.WriteFile(filepath.Join(w.bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	value := func(text string, steps map[string]map[string]string) string {
		return variable.ReplaceAllStringFunc(text, func(s string) string {
			name := variable.FindStringSubmatch(s)[1]
			if v, ok := context[name]; ok {
				return v
			}
			if input, ok := strings.CutPrefix(name, "inputs."); ok {
				if _, known := a.Inputs[input]; !known {
					t.Errorf("there is no input %q", input)
				}
				return variable.ReplaceAllStringFunc(a.Inputs[input].Default, func(s string) string { return context[variable.FindStringSubmatch(s)[1]] })
			}
			if parts := strings.Split(name, "."); len(parts) == 4 && parts[0] == "steps" && parts[2] == "outputs" {
				if !slices.ContainsFunc(a.Runs.Steps, func(s step) bool { return s.ID == parts[1] }) {
					t.Errorf("there is no step %q", parts[1])
				}
				return steps[parts[1]][parts[3]]
			}
			if !strings.HasPrefix(name, "github.") {
				t.Errorf("what is %s?", s)
			}
			return ""
		})
	}
	r := ran{codes: map[string]int{}, outputs: map[string]string{}}
	outputs := map[string]map[string]string{}
	for i, s := range a.Runs.Steps {
		if s.Uses != "" {
			continue
		}
		file := filepath.Join(temp, fmt.Sprintf("output%d", i))
		env := []string{
			"RUNNER_TEMP=" + temp, "GITHUB_ACTION_PATH=" + filepath.Join(repository, "examples/ci"), "GITHUB_PATH=" + temp + "/path",
			"GITHUB_OUTPUT=" + file, "GITHUB_STEP_SUMMARY=" + temp + "/summary", "GITHUB_ACTIONS=true",
		}
		for k, v := range s.Env {
			env = append(env, k+"="+value(v, outputs))
		}
		code, out := w.bash(t, s.Run, env...)
		r.codes[s.ID] = code
		r.out += "== " + s.ID + "\n" + out
		text, _ := os.ReadFile(file)
		outputs[s.ID] = map[string]string{}
		for line := range strings.Lines(string(text)) {
			k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
			outputs[s.ID][k] = v
		}
	}
	for name, o := range a.Outputs {
		r.outputs[name] = value(o.Value, outputs)
	}
	text := func(name string) string {
		data, _ := os.ReadFile(filepath.Join(temp, name))
		return string(data)
	}
	r.summary, r.remark = text("summary"), text("gh.args")+text("gh.body")
	if path := text("path"); strings.TrimSpace(path) != filepath.Join(temp, "rulerun") {
		t.Errorf("the path gains %q", path)
	}
	return r
}

// TestAction runs the scripts of the composite action over good rules and bad ones, on a pull request and without.
func TestAction(t *testing.T) {
	w := newWorld(t)
	var a action
	read(t, "examples/ci/action.yml", &a)
	if a.Runs.Using != "composite" {
		t.Errorf("it uses %q", a.Runs.Using)
	}
	for _, s := range a.Runs.Steps {
		if s.Uses != "" {
			if !regexp.MustCompile(`^[\w-]+/[\w-]+@v\d+$`).MatchString(s.Uses) {
				t.Errorf("%q is not pinned", s.Uses)
			}
			continue
		}
		if s.Shell != "bash" || s.ID == "" || s.Name == "" || strings.Contains(s.Run, "${{") {
			t.Errorf("step %q: a script takes what it gets by the environment", s.ID)
		}
		if s.ID != "build" {
			understood(t, s.ID, s.Run)
		}
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("input %q has no words", name)
		}
	}
	w.sample(t)
	base := strings.TrimSpace(w.run(t, 0, "git rev-parse HEAD"))

	good := a.do(t, w, map[string]string{"inputs.path": "rules", "inputs.min": "100"})
	for id, code := range good.codes {
		if code != 0 {
			t.Errorf("step %s fails in the sample: %s", id, good.out)
		}
	}
	var sarif struct {
		Version string `json:"version"`
		Runs    []any  `json:"runs"`
	}
	if data, err := os.ReadFile(good.outputs["sarif"]); err != nil || json.Unmarshal(data, &sarif) != nil || sarif.Version != "2.1.0" || len(sarif.Runs) != 1 {
		t.Errorf("sarif: %v %+v", err, sarif)
	}
	var junit struct {
		Tests int `xml:"tests,attr"`
	}
	if data, err := os.ReadFile(good.outputs["junit"]); err != nil || xml.Unmarshal(data, &junit) != nil || junit.Tests != 4 {
		t.Errorf("junit: %v %+v", err, junit)
	}
	if page, err := os.ReadFile(good.outputs["coverage"]); err != nil || !strings.Contains(string(page), "<html") {
		t.Errorf("coverage: %v", err)
	}
	if good.outputs["diff"] != "" || good.summary != "" || good.remark != "" {
		t.Errorf("what changed without a pull request: %+v", good)
	}

	w.run(t, 0, "sed -i 's/capture_count = 10/capture_count = 12/' rules/beach.rules && git rm --quiet rules/both_tests.rules")
	w.write(t, "rules/new one.rules", "change new_one \"New\" for parchis\n\nset goal_count = 5\n\ntest \"five\" {\n  turn yellow\n  expect that goal_count == 5\n}\n")
	w.write(t, "rules/alone.rules", "ruleset alone \"Alone\"\n")
	w.commit(t)
	pull := map[string]string{
		"inputs.path": "rules", "inputs.explore-games": "4", "inputs.comment": "true", "inputs.min": "0", "github.event.pull_request.base.sha": base,
		"github.event.pull_request.number": "7", "github.token": "t",
	}
	changed := a.do(t, w, pull)
	for id, want := range map[string]int{"format": 0, "check": 1, "test": 1, "diff": 0} {
		if changed.codes[id] != want {
			t.Errorf("step %s: exit code %d, want %d\n%s", id, changed.codes[id], want, changed.out)
		}
	}
	for _, want := range []string{
		"option `capture_count` | has another number: 10 becomes 12", "option `goal_count` | has another number: 10 becomes 5",
		"### rules/both_tests.rules is taken away", "### rules/alone.rules is new", "pr comment 7 --body-file - --edit-last --create-if-none",
	} {
		if !strings.Contains(changed.remark, want) {
			t.Errorf("the remark lacks %q:\n%s\n%s", want, changed.remark, changed.out)
		}
	}
	if !strings.Contains(changed.summary, "10 becomes 12") || !strings.Contains(changed.out, "::error file=rules/alone.rules,line=1") {
		t.Errorf("the summary or the annotations lack something:\n%s\n%s", changed.summary, changed.out)
	}
	if out := w.run(t, 0, "git worktree list | wc -l"); strings.TrimSpace(out) != "1" {
		t.Errorf("a worktree is left: %s", out)
	}

	// The gate of the coverage, and a file that is not formatted.
	w.run(t, 0, "rm rules/alone.rules")
	w.run(t, 0, "sed -i '/^test/,$d' rules/winter.rules && echo 'set  goal_count=6' >>rules/winter.rules")
	gated := a.do(t, w, map[string]string{"inputs.path": "rules", "inputs.explore-games": "4", "inputs.min": "100", "inputs.fail-on": "never"})
	if gated.codes["test"] == 0 || gated.codes["format"] == 0 || gated.codes["check"] != 0 {
		t.Errorf("%v\n%s", gated.codes, gated.out)
	}
	if off := a.do(t, w, map[string]string{"inputs.path": "rules", "inputs.explore-games": "4", "inputs.format": "false"}); off.codes["format"] != 0 {
		t.Errorf("formatting was not asked for:\n%s", off.out)
	}
}

// TestSampleRepository holds the set-ups of the sample against what they use.
func TestSampleRepository(t *testing.T) {
	var a action
	read(t, "examples/ci/action.yml", &a)
	var workflow struct {
		Name        string            `yaml:"name"`
		On          map[string]any    `yaml:"on"`
		Permissions map[string]string `yaml:"permissions"`
		Jobs        map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []step `yaml:"steps"`
		} `yaml:"jobs"`
	}
	read(t, "examples/ci/sample/.github/workflows/rules.yml", &workflow)
	used := false
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			name, version, pinned := strings.Cut(s.Uses, "@")
			if !pinned || version == "main" || version == "latest" {
				t.Errorf("%q is not pinned", s.Uses)
			}
			if path, ours := strings.CutPrefix(name, "rulerun/rulerun/"); ours {
				used = true
				if _, err := os.Stat(filepath.Join(top, path, "action.yml")); err != nil {
					t.Errorf("there is no action: %v", err)
				}
				for in := range s.With {
					if _, ok := a.Inputs[in]; !ok {
						t.Errorf("the action has no input %q", in)
					}
				}
			}
			for _, v := range s.With {
				for _, m := range regexp.MustCompile(`steps\.rulerun\.outputs\.([a-z]+)`).FindAllStringSubmatch(v, -1) {
					if _, ok := a.Outputs[m[1]]; !ok {
						t.Errorf("the action has no output %q", m[1])
					}
				}
			}
		}
	}
	if !used {
		t.Error("the workflow does not use the action")
	}

	var hooks []*hook
	read(t, ".pre-commit-hooks.yaml", &hooks)
	var config struct {
		Repos []struct {
			Repo  string `yaml:"repo"`
			Rev   string `yaml:"rev"`
			Hooks []hook `yaml:"hooks"`
		} `yaml:"repos"`
	}
	read(t, "examples/ci/sample/.pre-commit-config.yaml", &config)
	for _, h := range config.Repos[0].Hooks {
		if config.Repos[0].Rev == "" || !slices.ContainsFunc(hooks, func(x *hook) bool { return x.ID == h.ID }) {
			t.Errorf("there is no hook %q", h.ID)
		}
	}

	for _, page := range []string{"examples/ci/README.md", "examples/ci/sample/README.md"} {
		text, err := os.ReadFile(filepath.Join(top, page))
		if err != nil {
			t.Fatal(err)
		}
		understood(t, page, codeOf(string(text)))
		for _, m := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(top, filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
		for in := range a.Inputs {
			if !strings.Contains(page, "sample") && !strings.Contains(string(text), "| `"+in+"` |") {
				t.Errorf("%s does not speak of the input %q", page, in)
			}
		}
	}
}

// TestGitLab runs the scripts of the GitLab jobs in the sample.
func TestGitLab(t *testing.T) {
	w := newWorld(t)
	w.sample(t)
	var jobs map[string]yaml.Node
	read(t, "examples/ci/gitlab.yml", &jobs)
	var variables map[string]string
	node := jobs["variables"]
	if err := node.Decode(&variables); err != nil {
		t.Fatal(err)
	}
	var env []string
	for k, v := range variables {
		env = append(env, k+"="+v)
	}
	scripts := 0
	for name, node := range jobs {
		if name == "variables" {
			continue
		}
		var job struct {
			Extends   string   `yaml:"extends"`
			Image     string   `yaml:"image"`
			Before    []string `yaml:"before_script"`
			Script    []string `yaml:"script"`
			Coverage  string   `yaml:"coverage"`
			Artifacts struct {
				Paths   []string          `yaml:"paths"`
				Reports map[string]string `yaml:"reports"`
			} `yaml:"artifacts"`
		}
		if err := node.Decode(&job); err != nil {
			t.Fatal(err)
		}
		for _, line := range job.Before {
			path, _ := strings.CutPrefix(line, "go install \"")
			path, _, _ = strings.Cut(path, "@$RULERUN_VERSION")
			if path != "github.com/rulerun/rulerun/cmd/rulerun" {
				t.Errorf("%s installs %q", name, path)
			}
		}
		if len(job.Script) == 0 {
			continue
		}
		scripts++
		if _, ok := jobs[job.Extends]; !ok {
			t.Errorf("%s extends %q", name, job.Extends)
		}
		script := strings.Join(job.Script, "\n")
		understood(t, name, script)
		out := w.run(t, 0, script, env...)
		if job.Coverage != "" { // the service looks at each line, the last first
			match := regexp.MustCompile("(?m)" + strings.Trim(job.Coverage, "/"))
			one := w.run(t, 0, "rulerun test --cover rules/beach.rules")
			for percent, text := range map[string]string{"100": out, "85": one} {
				if m := match.FindAllStringSubmatch(text, -1); m == nil || m[len(m)-1][1] != percent {
					t.Errorf("%s: %s finds %q in\n%s", name, job.Coverage, m, text)
				}
			}
		}
		files := job.Artifacts.Paths
		for _, f := range job.Artifacts.Reports {
			files = append(files, f)
		}
		for _, f := range files {
			if data, err := os.ReadFile(filepath.Join(w.dir, f)); err != nil || len(data) == 0 {
				t.Errorf("%s leaves no %s: %v", name, f, err)
			}
		}
	}
	if scripts != 3 {
		t.Errorf("%d jobs", scripts)
	}
	var own struct {
		Include   []map[string]string `yaml:"include"`
		Variables map[string]string   `yaml:"variables"`
	}
	read(t, "examples/ci/sample/.gitlab-ci.yml", &own)
	if !strings.HasSuffix(own.Include[0]["remote"], "/examples/ci/gitlab.yml") {
		t.Errorf("the sample includes %v", own.Include)
	}
	w.run(t, 0, "sed -i 's/capture_count = 10/capture_count = 9/' rules/beach.rules")
	if code, out := w.bash(t, `rulerun test --cover --cover-html coverage.html --min "$COVERED" "$RULES"`, env...); code != 1 {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
