package main

import (
	"context"
	"errors"
	"time"

	"github.com/hibiken/asynq"
)

// taskType is the type of every task.
const taskType = "bench"

// retryDelay is long enough to be seen in Redis on a machine that stands still meanwhile.
const retryDelay = 6 * time.Second

// worker is at most one asynq server.
type worker struct {
	server *asynq.Server
}

// serve starts a server that hands the number in each payload to the handler; an error is a
// failed attempt.
func (w *worker) serve(s settings, handle func(number int) error) error {
	if w.server != nil {
		return errors.New("a worker is running; stop it first")
	}
	redis, err := s.text("redis")
	if err != nil {
		return err
	}
	config, err := serverConfig(s)
	if err != nil {
		return err
	}
	mux := asynq.NewServeMux()
	mux.HandleFunc(taskType, func(_ context.Context, task *asynq.Task) error {
		number, err := numberOf(task.Payload())
		if err != nil {
			return err
		}
		return handle(number)
	})
	server := asynq.NewServer(connectionOf(redis), config)
	if err := server.Start(mux); err != nil {
		return err
	}
	w.server = server
	return nil
}

// stop waits for handlers as asynq does: for at most its default of 8 s.
func (w *worker) stop() {
	if w.server != nil {
		w.server.Shutdown()
		w.server = nil
	}
}

// serverConfig is asynq's default except for the given settings. The retry delay is the
// same for every peer.
func serverConfig(s settings) (asynq.Config, error) {
	concurrency, err := s.number("concurrency")
	if err != nil {
		return asynq.Config{}, err
	}
	queues, _, err := s.queues()
	if err != nil {
		return asynq.Config{}, err
	}
	config := asynq.Config{
		Concurrency:    concurrency,
		Queues:         queues,
		LogLevel:       asynq.ErrorLevel,
		RetryDelayFunc: func(int, error, *asynq.Task) time.Duration { return retryDelay },
	}
	if s.textOr("variant", "default") == "tuned" {
		config.TaskCheckInterval = 10 * time.Millisecond
		config.DelayedTaskCheckInterval = time.Second
	}
	return config, nil
}
