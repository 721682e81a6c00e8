package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// ledger is the file of this process in the ledger: one write per line, so that a kill loses
// nothing that was written.
type ledger struct {
	file *os.File
	runs atomic.Int64
}

func openLedger(folder, name string) (*ledger, error) {
	file, err := os.OpenFile(filepath.Join(folder, name+".ledger"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return &ledger{file: file}, err
}

func (l *ledger) started(queue, id string, attempt int) int64 {
	run := l.runs.Add(1)
	l.write("S\t%d\t%s\t%s\t%d\t%d\n", time.Now().UnixMicro(), queue, id, attempt, run)
	return run
}

func (l *ledger) ended(queue, id string, attempt int, run int64, outcome string) {
	l.write("E\t%d\t%s\t%s\t%d\t%d\t%s\n", time.Now().UnixMicro(), queue, id, attempt, run, outcome)
}

func (l *ledger) aggregated(queue, id string, members []string) {
	l.write("G\t%d\t%s\t%s\t%s\n", time.Now().UnixMicro(), queue, id, strings.Join(members, ","))
}

func (l *ledger) given(queue, id string, members []string) {
	l.write("M\t%d\t%s\t%s\t%s\n", time.Now().UnixMicro(), queue, id, strings.Join(members, ","))
}

func (l *ledger) write(format string, values ...any) {
	if _, err := l.file.WriteString(fmt.Sprintf(format, values...)); err != nil {
		fmt.Fprintln(os.Stderr, "the ledger cannot be written:", err)
		os.Exit(1)
	}
}
