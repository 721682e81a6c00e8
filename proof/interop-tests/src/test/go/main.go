// Command asynqpeer is the Go side of the interop tests: a client, a server and an
// inspector of the real asynq library on one Redis, driven over standard input and output.
//
// Each line of input is a request {"id": 1, "cmd": "enqueue", "args": {…}}, each line of output
// a reply {"id": 1, "result": …}, {"id": 1, "error": "…", "kind": "…"} or an event
// {"event": "started", …}. Requests run side by side, so replies may come in another order.
// The program ends when its input does.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/hibiken/asynq"
)

func main() {
	uri := flag.String("redis", "redis://127.0.0.1:6379", "the Redis to use")
	flag.Parse()
	redis, err := asynq.ParseRedisURI(*uri)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	out := newOutput(os.Stdout)
	commands := commands{}
	commands.add(clientCommands(redis))
	commands.add(inspectorCommands(redis))
	commands.add(inspectAllCommands(redis))
	commands.add(serverCommands(redis, out))
	commands.add(groupCommands(redis))
	commands.add(schedulerCommands(redis))
	commands.add(payloadCommands(redis))

	in := json.NewDecoder(os.Stdin)
	for {
		var request request
		if in.Decode(&request) != nil {
			// The driver of this program is gone. A running server is not shut down:
			// nobody waits for it, and its tasks are meant to be found by others.
			os.Exit(0)
		}
		go func() { out.write(commands.run(request)) }()
	}
}
