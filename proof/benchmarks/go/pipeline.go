package main

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

//go:embed enqueue.lua
var enqueueScript string

// pipeline stores pending tasks with one script call each, many calls in one pipeline:
// the released asynq has no batch call, and a Go program in a hurry would do this.
type pipeline struct {
	client  *redis.Client
	script  string
	queue   string
	prefix  string
	pending string
}

// openPipeline lists the queue and loads the script, before the time is taken: both are
// needed once for many tasks.
func openPipeline(address, queue string) (*pipeline, error) {
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: address})
	script, err := client.ScriptLoad(ctx, enqueueScript).Result()
	if err == nil {
		err = client.SAdd(ctx, "asynq:queues", queue).Err()
	}
	if err != nil {
		client.Close()
		return nil, fmt.Errorf("queue %q cannot be opened at %s: %w", queue, address, err)
	}
	keys := "asynq:{" + queue + "}:"
	return &pipeline{client, script, queue, keys + "t:", keys + "pending"}, nil
}

func (p *pipeline) enqueue(payloads [][]byte) error {
	ctx := context.Background()
	pipe := p.client.Pipeline()
	now := time.Now().UnixNano()
	for _, payload := range payloads {
		message := taskMessage{
			taskType: taskType,
			payload:  payload,
			id:       uuid.NewString(),
			queue:    p.queue,
			retry:    defaultRetry,
			timeout:  defaultTimeout,
		}
		pipe.EvalSha(ctx, p.script, []string{p.prefix + message.id, p.pending}, message.id, message.encode(), now)
	}
	answers, err := pipe.Exec(ctx)
	if err != nil {
		return err
	}
	for _, answer := range answers {
		if stored, err := answer.(*redis.Cmd).Int(); err != nil || stored != 1 {
			return fmt.Errorf("a task was not stored: %v", answer)
		}
	}
	return nil
}

func (p *pipeline) close() error {
	return p.client.Close()
}
