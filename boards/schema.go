package boards

import _ "embed"

//go:embed board.schema.json
var schema string

// SchemaFile is the name of the schema's file, in the folder of the boards that come with rulerun.
const SchemaFile = "board.schema.json"

// Schema is the JSON Schema (draft 2020-12) of board files. Editors complete and check with it what can be seen
// without reading expressions; Read finds the rest.
func Schema() string { return schema }
