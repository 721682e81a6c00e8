package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/hibiken/asynq"
)

type request struct {
	ID   int64           `json:"id"`
	Cmd  string          `json:"cmd"`
	Args json.RawMessage `json:"args"`
}

type reply struct {
	ID     int64  `json:"id"`
	Result any    `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
	Kind   string `json:"kind,omitempty"`
}

// command performs one request.
type command func(args json.RawMessage) (any, error)

type commands map[string]command

// typed makes a command of a function with decoded arguments. An unknown argument is an
// error: a test with a misspelt name would prove nothing.
func typed[A any](run func(A) (any, error)) command {
	return func(raw json.RawMessage) (any, error) {
		var args A
		if len(raw) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&args); err != nil {
				return nil, err
			}
		}
		return run(args)
	}
}

func (c commands) add(more commands) {
	for name, command := range more {
		c[name] = command
	}
}

func (c commands) run(request request) reply {
	command, known := c[request.Cmd]
	if !known {
		return failed(request.ID, fmt.Errorf("unknown command %q", request.Cmd))
	}
	result, err := command(request.Args)
	if err != nil {
		return failed(request.ID, err)
	}
	return reply{ID: request.ID, Result: result}
}

func failed(id int64, err error) reply {
	return reply{ID: id, Error: err.Error(), Kind: kindOf(err)}
}

func kindOf(err error) string {
	switch {
	case errors.Is(err, asynq.ErrDuplicateTask):
		return "duplicate"
	case errors.Is(err, asynq.ErrTaskIDConflict):
		return "conflict"
	case errors.Is(err, asynq.ErrTaskNotFound):
		return "task-not-found"
	case errors.Is(err, asynq.ErrQueueNotFound):
		return "queue-not-found"
	default:
		return "other"
	}
}

// output writes whole lines and is safe for concurrent use.
type output struct {
	mu      sync.Mutex
	encoder *json.Encoder
}

func newOutput(w io.Writer) *output {
	return &output{encoder: json.NewEncoder(w)}
}

func (o *output) write(line any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.encoder.Encode(line); err != nil {
		fmt.Fprintln(os.Stderr, "cannot write:", err)
		os.Exit(1)
	}
}
