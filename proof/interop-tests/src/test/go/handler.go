package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

// errPostponed is an error that does not count as a failure.
var errPostponed = errors.New("postponed")

// behaviour is what the handler does with the tasks of one type.
type behaviour struct {
	// Do is one of ok, fail, skip, revoke, postpone, panic, block (until cancelled) and
	// hold (until released or cancelled).
	Do string `json:"do"`
	// Times is how many attempts behave as Do says before one succeeds; 0 for all.
	Times int `json:"times"`
	// Message is the text of the error.
	Message string `json:"message"`
	// Result is written first, unless it is null.
	Result []byte `json:"result"`
	// SleepMs is how long an attempt takes at least.
	SleepMs int64 `json:"sleepMs"`
}

type startedEvent struct {
	Event    string            `json:"event"`
	Server   string            `json:"server"`
	TaskID   string            `json:"taskId"`
	Type     string            `json:"type"`
	Queue    string            `json:"queue"`
	Payload  []byte            `json:"payload"`
	Headers  map[string]string `json:"headers"`
	Retried  int               `json:"retried"`
	MaxRetry int               `json:"maxRetry"`
	Deadline *time.Time        `json:"deadline"`
}

type endedEvent struct {
	Event  string `json:"event"`
	Server string `json:"server"`
	TaskID string `json:"taskId"`
	Error  string `json:"error"`
	// Cancelled is why the context of the attempt had ended when the handler returned.
	Cancelled string `json:"cancelled"`
}

// handler reports every attempt and behaves as specified; unknown types succeed.
type handler struct {
	server     string
	behaviours map[string]behaviour
	out        *output
	released   chan struct{}
	release    func()
}

func newHandler(server string, behaviours map[string]behaviour, out *output) *handler {
	released := make(chan struct{})
	return &handler{
		server:     server,
		behaviours: behaviours,
		out:        out,
		released:   released,
		release:    sync.OnceFunc(func() { close(released) }),
	}
}

func (h *handler) ProcessTask(ctx context.Context, task *asynq.Task) error {
	started := h.started(ctx, task)
	h.out.write(started)
	ended := endedEvent{Event: "ended", Server: h.server, TaskID: started.TaskID}
	err := h.behave(ctx, task, started.Retried)
	if err != nil {
		ended.Error = err.Error()
	}
	if ctx.Err() != nil {
		ended.Cancelled = ctx.Err().Error()
	}
	h.out.write(ended)
	return err
}

func (h *handler) started(ctx context.Context, task *asynq.Task) startedEvent {
	event := startedEvent{
		Event:   "started",
		Server:  h.server,
		Type:    task.Type(),
		Payload: task.Payload(),
		Headers: task.Headers(),
	}
	event.TaskID, _ = asynq.GetTaskID(ctx)
	event.Queue, _ = asynq.GetQueueName(ctx)
	event.Retried, _ = asynq.GetRetryCount(ctx)
	event.MaxRetry, _ = asynq.GetMaxRetry(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		event.Deadline = timeOrNil(deadline)
	}
	return event
}

func (h *handler) behave(ctx context.Context, task *asynq.Task, retried int) error {
	behaviour := h.behaviours[task.Type()]
	if behaviour.Result != nil {
		if _, err := task.ResultWriter().Write(behaviour.Result); err != nil {
			return err
		}
	}
	if behaviour.SleepMs > 0 {
		select {
		case <-time.After(millis(behaviour.SleepMs)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if behaviour.Times > 0 && retried >= behaviour.Times {
		return nil
	}
	return h.do(ctx, behaviour)
}

func (h *handler) do(ctx context.Context, behaviour behaviour) error {
	switch behaviour.Do {
	case "", "ok":
		return nil
	case "fail":
		return errors.New(behaviour.Message)
	case "skip":
		return fmt.Errorf("%s: %w", behaviour.Message, asynq.SkipRetry)
	case "revoke":
		return fmt.Errorf("%s: %w", behaviour.Message, asynq.RevokeTask)
	case "postpone":
		return errPostponed
	case "panic":
		panic(behaviour.Message)
	case "block":
		<-ctx.Done()
		return ctx.Err()
	case "hold":
		select {
		case <-h.released:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	default:
		return fmt.Errorf("unknown behaviour %q", behaviour.Do)
	}
}
