package report

import _ "embed"

// CoverageSchema is the JSON schema of what test writes with --cover-json.
//
//go:embed schema/coverage.schema.json
var CoverageSchema string

// MutationSchema is the JSON schema of what test --mutate writes with --mutate-json.
//
//go:embed schema/mutation.schema.json
var MutationSchema string

// SimSchema is the JSON schema of what sim and sim --merge print with --format json.
//
//go:embed schema/sim.schema.json
var SimSchema string

// CompareSchema is the JSON schema of what compare prints with --format json.
//
//go:embed schema/compare.schema.json
var CompareSchema string

// SweepSchema is the JSON schema of what compare --sweep prints with --format json.
//
//go:embed schema/sweep.schema.json
var SweepSchema string

// EachSchema is the JSON schema of what compare --each prints with --format json.
//
//go:embed schema/each.schema.json
var EachSchema string

// TallySchema is the JSON schema of the parts that sim writes with --out.
//
//go:embed schema/tally.schema.json
var TallySchema string

// LadderSchema is the JSON schema of what bots prints with --format json.
//
//go:embed schema/ladder.schema.json
var LadderSchema string

// SkillSchema is the JSON schema of what bots --skill prints with --format json.
//
//go:embed schema/skill.schema.json
var SkillSchema string

// ReviewSchema is the JSON schema of what play --analyse prints with --format json.
//
//go:embed schema/review.schema.json
var ReviewSchema string

// HeatSchema is the JSON schema of what heat prints with --format json.
//
//go:embed schema/heat.schema.json
var HeatSchema string

// SolveSchema is the JSON schema of what solve prints with --format json.
//
//go:embed schema/solve.schema.json
var SolveSchema string

// PolicySchema is the JSON schema of a line of what solve writes with --policy.
//
//go:embed schema/policy.schema.json
var PolicySchema string

// PositionSchema is the JSON schema of a position, as the commands that take one read it.
//
//go:embed schema/position.schema.json
var PositionSchema string
