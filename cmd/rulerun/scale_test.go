package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// The runs of the examples: so many games in so many parts.
const (
	scaleGames = "40"
	scaleParts = 3
)

// scale is a world with what one run gives, and the variables of the scripts.
func scale(t *testing.T) (*world, []string) {
	t.Helper()
	w := newWorld(t)
	w.run(t, 0, "rulerun sim patolli --games "+scaleGames+" --seed 9 --out want.json >want.txt")
	return w, []string{"RULESET=patolli", "GAMES=" + scaleGames, "SEED=9", "OUT=" + w.dir, fmt.Sprintf("PARTS=%d", scaleParts), "WAIT=0.1"}
}

// same holds what the parts came to against what one run gives.
func (w *world) same(t *testing.T, printed string) {
	t.Helper()
	w.run(t, 0, "cmp want.json whole.json")
	want, err := os.ReadFile(filepath.Join(w.dir, "want.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(printed, string(want)) {
		t.Errorf("the figures are not those of one run:\n%s", printed)
	}
	if parts, err := filepath.Glob(filepath.Join(w.dir, "part-*.json")); err != nil || len(parts) != scaleParts {
		t.Errorf("there are %d parts", len(parts))
	}
}

// document is one of a file of Kubernetes, as far as it matters here.
type document struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode string `yaml:"completionMode"`
		Completions    int
		Parallelism    int
		Template       struct {
			Spec struct {
				Containers []struct {
					Name, Image   string
					Env           []struct{ Name, Value string }
					Command, Args []string
				}
			}
		}
	}
}

// TestKubernetes runs the containers of the indexed Job, the one that joins them first: it waits for the others.
func TestKubernetes(t *testing.T) {
	w, env := scale(t)
	data, err := os.ReadFile(filepath.Join(top, "examples/scale/kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]document{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var x document
		if err := d.Decode(&x); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if x.Kind == "Job" && x.APIVersion != "batch/v1" {
			t.Errorf("%s is of %s", x.Metadata.Name, x.APIVersion)
		}
		jobs[x.Metadata.Name] = x
	}
	script := func(name string) string {
		list := jobs[name].Spec.Template.Spec.Containers
		if len(list) != 1 || len(list[0].Args) != 1 || strings.Join(list[0].Command, " ") != "bash -eo pipefail -c" {
			t.Fatalf("%s: %+v", name, list)
		}
		understood(t, name, list[0].Args[0])
		known := map[string]bool{"JOB_COMPLETION_INDEX": true, "WAIT": true}
		for _, v := range list[0].Env {
			known[v.Name] = true
			if v.Name == "PARTS" && v.Value != fmt.Sprint(jobs["rulerun-sim"].Spec.Completions) {
				t.Errorf("%s: %s parts, but %d completions", name, v.Value, jobs["rulerun-sim"].Spec.Completions)
			}
		}
		for _, m := range regexp.MustCompile(`\$\{?([A-Z_]+)|\(\(([A-Z_]+)`).FindAllStringSubmatch(list[0].Args[0], -1) {
			if !known[m[1]+m[2]] {
				t.Errorf("%s: nothing sets %s", name, m[0])
			}
		}
		return list[0].Args[0]
	}
	if s := jobs["rulerun-sim"].Spec; s.CompletionMode != "Indexed" || s.Parallelism > s.Completions {
		t.Errorf("%+v", s)
	}
	sim, merge := script("rulerun-sim"), script("rulerun-merge")
	printed := make(chan string)
	go func() {
		_, out := w.bash(t, merge, env...)
		printed <- out
	}()
	for i := range scaleParts {
		w.run(t, 0, sim, append(env, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", scaleParts-1-i))...)
	}
	w.same(t, <-printed)
}

// TestSlurm runs the tasks of the array, and what joins them.
func TestSlurm(t *testing.T) {
	w, env := scale(t)
	readme, err := os.ReadFile(filepath.Join(top, "examples/scale/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	understood(t, "README.md", codeOf(string(readme)))
	for _, name := range []string{"slurm.sh", "slurm-merge.sh"} {
		text, err := os.ReadFile(filepath.Join(top, "examples/scale", name))
		if err != nil {
			t.Fatal(err)
		}
		understood(t, name, string(text))
		if !strings.HasPrefix(string(text), "#!/bin/bash\n") || !strings.Contains(string(text), "\n#SBATCH --time=") {
			t.Errorf("%s is no script for sbatch", name)
		}
		w.write(t, name, string(text))
	}
	for i := range scaleParts {
		w.run(t, 0, "bash slurm.sh", append(env, fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i+1), fmt.Sprintf("SLURM_ARRAY_TASK_COUNT=%d", scaleParts))...)
	}
	w.same(t, w.run(t, 0, "bash slurm-merge.sh", env...))
}

// workflow is one of GitHub Actions, as far as it matters here.
type workflow struct {
	Name string
	On   struct {
		Dispatch struct {
			Inputs map[string]struct{ Description, Default string }
		} `yaml:"workflow_dispatch"`
	}
	Permissions map[string]string
	Env         map[string]string
	Jobs        map[string]struct {
		RunsOn   string `yaml:"runs-on"`
		Needs    string
		Strategy struct{ Matrix map[string][]int }
		Steps    []step
	}
}

// TestMatrix runs the jobs of the matrix, each with its part, and the one that joins them.
func TestMatrix(t *testing.T) {
	w, _ := scale(t)
	var flow workflow
	read(t, "examples/scale/github.yml", &flow)
	if flow.Jobs["merge"].Needs != "play" || len(flow.Jobs["play"].Strategy.Matrix["part"]) < 2 {
		t.Errorf("%+v", flow.Jobs)
	}
	for i, part := range flow.Jobs["play"].Strategy.Matrix["part"] {
		if part != i+1 {
			t.Errorf("part %d has number %d", i+1, part)
		}
	}
	do := func(job string, context map[string]string) string {
		out := ""
		for _, s := range flow.Jobs[job].Steps {
			for _, text := range s.With {
				for _, m := range variable.FindAllStringSubmatch(text, -1) {
					if m[1] != "matrix.part" {
						t.Errorf("what is %s?", m[0])
					}
				}
			}
			if s.Uses != "" || s.Name == "install" {
				if s.Uses != "" && !regexp.MustCompile(`^actions/[\w-]+@v\d+$`).MatchString(s.Uses) {
					t.Errorf("%q is not pinned", s.Uses)
				}
				continue
			}
			understood(t, s.Name, s.Run)
			env := []string{"SEED=9", "RULERUN_VERSION=" + flow.Env["RULERUN_VERSION"]}
			for k, v := range s.Env {
				env = append(env, k+"="+variable.ReplaceAllStringFunc(v, func(x string) string {
					value, ok := context[variable.FindStringSubmatch(x)[1]]
					if !ok {
						t.Errorf("what is %s?", x)
					}
					return value
				}))
			}
			out += w.run(t, 0, s.Run, env...)
		}
		return out
	}
	for i := range scaleParts {
		do("play", map[string]string{
			"inputs.ruleset": "patolli", "inputs.games": scaleGames, "matrix.part": fmt.Sprint(i + 1), "strategy.job-total": fmt.Sprint(scaleParts),
		})
	}
	w.same(t, do("merge", nil))
}
