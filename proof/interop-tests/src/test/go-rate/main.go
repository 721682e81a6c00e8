// Command ratepeer is the Go side of the semaphore tests: a real asynq server whose handler
// holds a token of asynq's x/rate semaphore. The newest x module that can be had is of
// asynq v0.21, whose server keeps its tasks apart, in a queue that nobody else serves.
//
// Each line of input is "acquire <task id>" or "release <task id>"; each line of output is
// "true" or "false" to the former, "released" or "error …" to the latter.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hibiken/asynq"
	"github.com/hibiken/asynq/x/rate"
)

const queue = "ratepeer"

func main() {
	addr := flag.String("addr", "127.0.0.1:6379", "the Redis to use")
	scope := flag.String("scope", "", "the semaphore's scope")
	tokens := flag.Int("tokens", 1, "how many tokens it has")
	flag.Parse()
	redis := asynq.RedisClientOpt{Addr: *addr}
	semaphore := rate.NewSemaphore(redis, *scope, *tokens)
	releases := make(chan string)
	server := asynq.NewServer(redis, asynq.Config{
		Concurrency: 10, Queues: map[string]int{queue: 1}, LogLevel: asynq.FatalLevel})
	err := server.Start(asynq.HandlerFunc(func(ctx context.Context, task *asynq.Task) error {
		acquired, err := semaphore.Acquire(ctx)
		if err != nil {
			fmt.Println("error", err)
			return nil
		}
		fmt.Println(acquired)
		for acquired && <-releases != string(task.Payload()) {
		}
		if acquired {
			answer(semaphore.Release(ctx))
		}
		return nil
	}))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	client := asynq.NewClient(redis)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		command, id, _ := strings.Cut(in.Text(), " ")
		if command == "release" {
			releases <- id
			continue
		}
		task := asynq.NewTask("hold", []byte(id))
		if _, err := client.Enqueue(task, asynq.TaskID(id), asynq.Queue(queue), asynq.Timeout(time.Minute)); err != nil {
			fmt.Println("error", err)
		}
	}
}

func answer(err error) {
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("released")
}
