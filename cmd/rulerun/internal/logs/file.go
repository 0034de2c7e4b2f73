package logs

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/rulerun/rulerun/dsl/seq"
)

// GroupRows is the number of rows of a row group, and the number of rows that are written together.
const (
	GroupRows = 1 << 14
	chunk     = 1 << 8
)

// column is a column of rows that are made from a T.
type column[T any] struct {
	name string
	of   parquet.Node
	put  func(b *builder, x *T)
}

// text is a column of words, most of which come again and again.
func text() parquet.Node { return coded(parquet.String()) }

func coded(n parquet.Node) parquet.Node { return parquet.Encoded(n, &parquet.RLEDictionary) }

// group is a group of columns in their order; those of parquet.Group are sorted by name.
type group struct {
	parquet.Group
	order []parquet.Field
}

// Fields implements parquet.Node.
func (g group) Fields() []parquet.Field { return g.order }

// file writes rows.
type file[T any] struct {
	columns []column[T]
	w       *parquet.GenericWriter[any]
	rows    []parquet.Row
	used    int
}

// newFile begins a file, which says of itself what it is.
func newFile[T any](w io.Writer, name string, columns []column[T], what string) *file[T] {
	g := group{Group: parquet.Group{}}
	for i := range columns {
		c := &columns[i]
		for g.Group[c.name] != nil { // names of the rules may be alike
			c.name += "_"
		}
		g.Group[c.name] = c.of
	}
	fields := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		fields[f.Name()] = f
	}
	g.order = seq.Map(columns, func(c column[T]) parquet.Field { return fields[c.name] })
	return &file[T]{
		columns: columns, rows: make([]parquet.Row, chunk),
		w: parquet.NewGenericWriter[any](w, parquet.NewSchema(name, g), parquet.MaxRowsPerRowGroup(GroupRows), parquet.Compression(&parquet.Zstd),
			parquet.KeyValueMetadata("rulerun", what), parquet.CreatedBy("rulerun", "", "")),
	}
}

// add appends a row. Rows are written in chunks of one size, so that pages do not depend on how they come.
func (f *file[T]) add(x *T) error {
	b := builder{row: f.rows[f.used][:0]}
	for _, c := range f.columns {
		c.put(&b, x)
		b.column++
	}
	f.rows[f.used] = b.row
	if f.used++; f.used < chunk {
		return nil
	}
	return f.flush()
}

func (f *file[T]) flush() error {
	_, err := f.w.WriteRows(f.rows[:f.used])
	f.used = 0
	return err
}

// close writes what is left, and the end of the file.
func (f *file[T]) close() error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.w.Close()
}

// builder makes a row, column after column.
type builder struct {
	row     parquet.Row
	column  int
	defined int // how much of a nested value is there
}

// value puts the one value of a column.
func (b *builder) value(v parquet.Value) { b.row = append(b.row, v.Level(0, b.defined, b.column)) }

func (b *builder) int32(n int)   { b.value(parquet.Int32Value(int32(n))) }
func (b *builder) int64(n int)   { b.value(parquet.Int64Value(int64(n))) }
func (b *builder) bool(v bool)   { b.value(parquet.BooleanValue(v)) }
func (b *builder) text(s string) { b.value(parquet.ValueOf(s)) }

// known puts an optional value.
func (b *builder) known(known bool, put func()) {
	if !known {
		b.value(parquet.NullValue())
		return
	}
	b.defined++
	put()
	b.defined--
}

// list puts a list.
func (b *builder) list(n int, of func(i int) parquet.Value) {
	if n == 0 {
		b.value(parquet.NullValue())
	}
	for i := range n {
		b.row = append(b.row, of(i).Level(min(i, 1), b.defined+1, b.column))
	}
}

func (b *builder) texts(list []string) {
	b.list(len(list), func(i int) parquet.Value { return parquet.ValueOf(list[i]) })
}
