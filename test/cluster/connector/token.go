package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

type token struct {
	Account string `json:"a"`
	Secret  string `json:"s"`
	Tunnel  string `json:"t"`
}

var errToken = errors.New("Provided Tunnel token is not valid.")

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// readToken reads the file once: a token that changes later needs a restart, as with the real one.
func readToken(path string) (token, error) {
	var read token
	text, err := os.ReadFile(path)
	if err != nil {
		return read, fmt.Errorf("the token file cannot be read: %w", err)
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || json.Unmarshal(decoded, &read) != nil {
		return read, errToken
	}
	// An empty object is accepted by the real one, too.
	if read.Tunnel != "" && !uuid.MatchString(read.Tunnel) {
		return read, errToken
	}
	return read, nil
}
