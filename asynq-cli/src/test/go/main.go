// Fills a Redis with what Go's library writes, for tests of programs that look at it,
// and works on it if its second argument is serve.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"time"

	"github.com/hibiken/asynq"
)

func main() {
	redis := asynq.RedisClientOpt{Addr: os.Args[1]}
	client := asynq.NewClient(redis)
	defer client.Close()
	enqueue(client, asynq.NewTask("go:mail", []byte(`{"to":"gopher"}`)), asynq.TaskID("from-go"))
	enqueue(client, asynq.NewTask("go:late", nil), asynq.ProcessIn(time.Hour))
	enqueue(client, asynq.NewTask("go:row", []byte("row")), asynq.Group("sales"))
	enqueue(client, asynq.NewTask("go:evil", []byte("\x1b[2J\x1b]0;owned\x07")), asynq.TaskID("\x1b[31mevil\x1b[0m"))
	inspector := asynq.NewInspector(redis)
	defer inspector.Close()
	for range 3 {
		info := enqueue(client, asynq.NewTask("go:old", []byte("old")))
		if err := inspector.ArchiveTask(info.Queue, info.ID); err != nil {
			log.Fatal(err)
		}
	}
	if len(os.Args) > 2 && os.Args[2] == "serve" {
		serve(redis)
	}
}

// serve works on the queue until the input ends; everything but mail fails.
func serve(redis asynq.RedisClientOpt) {
	server := asynq.NewServer(redis, asynq.Config{Concurrency: 3, Queues: map[string]int{"go": 2}})
	err := server.Start(asynq.HandlerFunc(func(_ context.Context, task *asynq.Task) error {
		if task.Type() == "go:mail" {
			return nil
		}
		return errors.New("no way for " + task.Type())
	}))
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, os.Stdin)
	server.Shutdown()
}

func enqueue(client *asynq.Client, task *asynq.Task, options ...asynq.Option) *asynq.TaskInfo {
	info, err := client.Enqueue(task, append(options, asynq.Queue("go"), asynq.MaxRetry(3))...)
	if err != nil {
		log.Fatal(err)
	}
	return info
}
