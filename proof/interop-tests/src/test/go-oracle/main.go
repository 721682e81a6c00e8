// Command asynqoracle does the Go side of the differential oracle, with whichever version of the
// asynq library it is built: it is told one operation of a script after the other, does it with
// the real library and answers what came of it.
//
// Each line of input is a request {"id": 1, "cmd": "enqueue", "args": {…}}, each line of output
// its answer {"id": 1, "result": …} or {"id": 1, "error": "…", "kind": "…"}. One request is done
// after the other. The program ends when its input does.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"

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

// operation performs one request.
type operation func(args json.RawMessage) (any, error)

func main() {
	uri := flag.String("redis", "redis://127.0.0.1:6379", "the Redis to use")
	flag.Parse()
	redis, err := asynq.ParseRedisURI(*uri)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	operations := map[string]operation{}
	addClient(operations, redis)
	addServers(operations, redis)
	addInspector(operations, redis)
	addScheduler(operations, redis)

	in := json.NewDecoder(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		var request request
		if in.Decode(&request) != nil {
			return
		}
		if err := out.Encode(answer(operations, request)); err != nil {
			fmt.Fprintln(os.Stderr, "cannot answer:", err)
			os.Exit(1)
		}
	}
}

func answer(operations map[string]operation, request request) reply {
	operation, known := operations[request.Cmd]
	if !known {
		return reply{ID: request.ID, Error: "unknown operation " + request.Cmd, Kind: "broken-script"}
	}
	result, err := operation(request.Args)
	if err != nil {
		return reply{ID: request.ID, Error: err.Error(), Kind: kindOf(err)}
	}
	return reply{ID: request.ID, Result: result}
}

// brokenScript reports a mistake in the script; no library error is one.
type brokenScript string

func (b brokenScript) Error() string { return string(b) }

// decoded makes an operation of a function with decoded arguments. A misspelt argument is
// an error: a step that does something else than it says would prove nothing.
func decoded[A any](do func(A) (any, error)) operation {
	return func(raw json.RawMessage) (any, error) {
		var args A
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&args); err != nil {
			return nil, brokenScript(err.Error())
		}
		return do(args)
	}
}
