// Command reliability is the Go side of the reliability tests: a worker that writes the same
// ledger as a Java worker does, and an inspector that prints what it sees as JSON.
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error
	switch {
	case len(os.Args) > 1 && os.Args[1] == "worker":
		err = work(os.Args[2:])
	case len(os.Args) > 1 && os.Args[1] == "inspect":
		err = inspect(os.Args[2:])
	default:
		err = fmt.Errorf("usage: %s worker|inspect -redis host:port …", os.Args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
