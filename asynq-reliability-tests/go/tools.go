//go:build tools

// This file has go.mod name the version of Toxiproxy that stands between workers and Redis:
// "go build github.com/Shopify/toxiproxy/v2/cmd/server" builds it in this module.

package main

import _ "github.com/Shopify/toxiproxy/v2/cmd/server"
