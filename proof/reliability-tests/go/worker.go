package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/hibiken/asynq"
)

// task is what a handler is to do; Java's is Work.
type task struct {
	Millis int64 `json:"millis"`
	Fails  []int `json:"fails"`
	Skip   bool  `json:"skip"`
}

func work(args []string) error {
	flags := flag.NewFlagSet("worker", flag.ExitOnError)
	redis := flags.String("redis", "", "address of Redis")
	folder := flags.String("ledger", "", "folder of the ledger")
	name := flags.String("name", "", "name of this worker")
	concurrency := flags.Int("concurrency", 10, "tasks at once")
	_ = flags.Parse(args)

	ledger, err := openLedger(*folder, *name)
	if err != nil {
		return err
	}
	server := asynq.NewServer(asynq.RedisClientOpt{Addr: *redis}, asynq.Config{
		Concurrency:    *concurrency,
		Queues:         map[string]int{"critical": 6, "default": 3, "low": 1},
		LogLevel:       asynq.WarnLevel,
		RetryDelayFunc: func(int, error, *asynq.Task) time.Duration { return time.Second },

		GroupAggregator:  &digester{ledger: ledger, worker: *name},
		GroupGracePeriod: time.Second,
		GroupMaxDelay:    3 * time.Second,
		GroupMaxSize:     8,
	})
	mux := asynq.NewServeMux()
	mux.HandleFunc("work", func(ctx context.Context, t *asynq.Task) error { return run(ctx, t, ledger) })
	mux.HandleFunc("digest", func(ctx context.Context, t *asynq.Task) error { return runDigest(ctx, t, ledger) })
	if err := server.Start(mux); err != nil {
		return err
	}
	go endWithStarter()
	fmt.Println("ready")
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
	server.Shutdown()
	return nil
}

func run(ctx context.Context, t *asynq.Task, ledger *ledger) error {
	id, _ := asynq.GetTaskID(ctx)
	queue, _ := asynq.GetQueueName(ctx)
	attempt, _ := asynq.GetRetryCount(ctx)
	run := ledger.started(queue, id, attempt)
	outcome, err := do(ctx, t, attempt)
	ledger.ended(queue, id, attempt, run, outcome)
	return err
}

func do(ctx context.Context, t *asynq.Task, attempt int) (string, error) {
	var work task
	if err := json.Unmarshal(t.Payload(), &work); err != nil {
		return "FAILED", err
	}
	select {
	case <-time.After(time.Duration(work.Millis) * time.Millisecond):
		if ctx.Err() != nil { // it ends with its attempt, not by itself
			return "CANCELLED", ctx.Err()
		}
	case <-ctx.Done():
		return "CANCELLED", ctx.Err()
	}
	switch {
	case work.Skip:
		return "SKIPPED", fmt.Errorf("the task says so: %w", asynq.SkipRetry)
	case slices.Contains(work.Fails, attempt):
		return "FAILED", errors.New("the task says so")
	default:
		return "OK", nil
	}
}

// endWithStarter ends this process when its parent is gone.
func endWithStarter() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}
