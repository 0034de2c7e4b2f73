package books

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// Limits of a link: what the page takes, too.
const (
	maxLink     = 100_000 // characters
	maxLinkText = 500_000 // bytes of what it carries
)

// Link is the fragment of an address that carries rules: "#r=" with deflated JSON in base64url. name is the rule file to
// play.
func Link(name string, files Texts) (string, error) {
	text, err := json.Marshal(map[string]any{"name": name, "files": files})
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(text) // a buffer takes all
	_ = w.Close()
	link := "#r=" + base64.RawURLEncoding.EncodeToString(b.Bytes())
	if len(text) > maxLinkText || len(link) > maxLink {
		return "", fmt.Errorf("%s is too long for a link: %d characters, want at most %d", name, len(link), maxLink)
	}
	return link, nil
}
