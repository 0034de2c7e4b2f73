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
