package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/hibiken/asynq"
)

// producer enqueues in the mode that it was opened for. It is safe for concurrent use.
type producer interface {

	// enqueue stores one task for each payload, or fails.
	enqueue(payloads [][]byte) error

	close() error
}

// openProducer opens a producer for the first queue of the settings.
func openProducer(s settings) (producer, error) {
	redis, err := s.text("redis")
	if err != nil {
		return nil, err
	}
	_, queue, err := s.queues()
	if err != nil {
		return nil, err
	}
	options := []asynq.Option{asynq.Queue(queue)}
	switch mode := s.textOr("mode", "single"); mode {
	case "single":
	case "unique":
		options = append(options, asynq.Unique(time.Hour))
	case "scheduled":
		options = append(options, asynq.ProcessIn(time.Hour))
	case "batch":
		return openPipeline(redis, queue)
	default:
		return nil, fmt.Errorf("unknown mode: %q", mode)
	}
	return &singles{asynq.NewClient(connectionOf(redis)), options}, nil
}

// connectionOf connects to one Redis, or to a cluster of which it is given several nodes.
func connectionOf(redis string) asynq.RedisConnOpt {
	if strings.Contains(redis, ",") {
		return asynq.RedisClusterClientOpt{Addrs: strings.Split(redis, ",")}
	}
	return asynq.RedisClientOpt{Addr: redis}
}

// singles enqueues one by one with asynq's client.
type singles struct {
	client  *asynq.Client
	options []asynq.Option
}

func (p *singles) enqueue(payloads [][]byte) error {
	for _, payload := range payloads {
		if _, err := p.client.Enqueue(asynq.NewTask(taskType, payload), p.options...); err != nil {
			return err
		}
	}
	return nil
}

func (p *singles) close() error {
	return p.client.Close()
}
