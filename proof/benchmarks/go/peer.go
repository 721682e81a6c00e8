package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

const asynqModule = "github.com/hibiken/asynq"

// peer executes lines: it has at most one worker, and what it has run since the last
// "serve" or "again".
type peer struct {
	worker worker
	served settings
	runs   atomic.Pointer[runs]
}

func newPeer() *peer {
	p := &peer{served: settings{}}
	p.runs.Store(newRuns(0, 0, false))
	return p
}

// answer executes one line.
func (p *peer) answer(line string) string {
	fields, err := p.obey(line)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", line, err)
		return "error " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	return strings.TrimSpace("ok " + fields)
}

func (p *peer) obey(line string) (string, error) {
	verb, rest, _ := strings.Cut(line, " ")
	s, err := parseSettings(rest)
	if err != nil {
		return "", err
	}
	switch verb {
	case "serve":
		return "", p.serve(s)
	case "again":
		return "", p.again(s)
	case "await":
		return p.await(s)
	case "starts":
		return p.runs.Load().starts(), nil
	case "stop":
		return p.stop(), nil
	case "enqueue":
		return enqueue(s)
	case "pace":
		return pace(s)
	case "cpu":
		return fmt.Sprintf("cpu_ns=%d", cpuNanos()), nil
	case "version":
		return "version=" + version(), nil
	default:
		return "", fmt.Errorf("unknown verb: %q", verb)
	}
}

func (p *peer) serve(s settings) error {
	p.served = s
	if err := p.again(s); err != nil {
		return err
	}
	return p.worker.serve(s, func(number int) error { return p.runs.Load().run(number) })
}

func (p *peer) again(s settings) error {
	tasks, err := s.number("tasks")
	if err != nil {
		return err
	}
	workMicros, err := p.served.numberOr("work_micros", 0)
	if err != nil {
		return err
	}
	work := time.Duration(workMicros) * time.Microsecond
	p.runs.Store(newRuns(tasks, work, p.served.flag("fail_first")))
	return nil
}

func (p *peer) await(s settings) (string, error) {
	timeoutMillis, err := s.number("timeout_ms")
	if err != nil {
		return "", err
	}
	return p.runs.Load().await(time.Duration(timeoutMillis) * time.Millisecond), nil
}

func (p *peer) stop() string {
	start := time.Now()
	p.worker.stop()
	return fmt.Sprintf("drain_ns=%d doubled=%d", time.Since(start).Nanoseconds(), p.runs.Load().doubled.Load())
}

// version returns the versions of asynq and Go.
func version() string {
	asynq := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == asynqModule {
				asynq = module.Version
			}
		}
	}
	return "asynq-" + asynq + "-" + runtime.Version()
}
