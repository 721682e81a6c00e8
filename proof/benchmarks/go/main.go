// Command asynq-benchmarks-go is the Go side of the benchmarks: a worker and a producer made
// with the real asynq library. It obeys lines on its standard input and answers each with
// one line on its standard output; the documentation of the Java package
// io.asynq.benchmarks.peer lists the verbs. Everything else goes to the standard error. The
// program ends when its input does.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := obeyAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// obeyAll answers line by line until the input ends, then stops what still runs.
func obeyAll(in io.Reader, out io.Writer) error {
	peer := newPeer()
	defer peer.worker.stop()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if _, err := fmt.Fprintln(out, peer.answer(lines.Text())); err != nil {
			return err
		}
	}
	return lines.Err()
}
