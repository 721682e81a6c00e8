package main

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/hibiken/asynq"
)

// enqueueArgs is a task and its options. Durations are seconds. A missing payload (null)
// differs from an empty one (""). Struct names one of structs, which then is the payload.
type enqueueArgs struct {
	Type      string            `json:"type"`
	Payload   *string           `json:"payload"`
	Struct    string            `json:"struct"`
	Headers   map[string]string `json:"headers"`
	Queue     *string           `json:"queue"`
	TaskID    *string           `json:"id"`
	MaxRetry  *int              `json:"maxRetry"`
	Timeout   *int64            `json:"timeout"`
	Deadline  *time.Time        `json:"deadline"`
	Unique    *int64            `json:"unique"`
	ProcessAt *time.Time        `json:"processAt"`
	ProcessIn *int64            `json:"processIn"`
	Retention *int64            `json:"retention"`
	Group     *string           `json:"group"`
}

func addClient(operations map[string]operation, redis asynq.RedisConnOpt) {
	client := asynq.NewClient(redis)
	operations["enqueue"] = decoded(func(args enqueueArgs) (any, error) {
		var payload []byte
		if args.Payload != nil {
			payload = []byte(*args.Payload)
		}
		if args.Struct != "" {
			written, err := json.Marshal(structs[args.Struct])
			if err != nil {
				return nil, err
			}
			payload = written
		}
		info, err := client.Enqueue(newTask(args.Type, payload, args.Headers), args.options()...)
		if err != nil {
			return nil, err
		}
		return viewOfTask(info), nil
	})
}

func (a enqueueArgs) options() []asynq.Option {
	var options []asynq.Option
	if a.Queue != nil {
		options = append(options, asynq.Queue(*a.Queue))
	}
	if a.TaskID != nil {
		options = append(options, asynq.TaskID(*a.TaskID))
	}
	if a.MaxRetry != nil {
		options = append(options, asynq.MaxRetry(*a.MaxRetry))
	}
	if a.Timeout != nil {
		options = append(options, asynq.Timeout(seconds(*a.Timeout)))
	}
	if a.Deadline != nil {
		options = append(options, asynq.Deadline(*a.Deadline))
	}
	if a.Unique != nil {
		options = append(options, asynq.Unique(seconds(*a.Unique)))
	}
	if a.ProcessAt != nil {
		options = append(options, asynq.ProcessAt(*a.ProcessAt))
	}
	if a.ProcessIn != nil {
		options = append(options, asynq.ProcessIn(seconds(*a.ProcessIn)))
	}
	if a.Retention != nil {
		options = append(options, asynq.Retention(seconds(*a.Retention)))
	}
	if a.Group != nil {
		options = append(options, asynq.Group(*a.Group))
	}
	return options
}

func seconds(n int64) time.Duration {
	return time.Duration(n) * time.Second
}

func kindOf(err error) string {
	var broken brokenScript
	switch {
	case errors.As(err, &broken):
		return "broken-script"
	case errors.Is(err, asynq.ErrDuplicateTask):
		return "duplicate"
	case errors.Is(err, asynq.ErrTaskIDConflict):
		return "conflict"
	case errors.Is(err, asynq.ErrTaskNotFound):
		return "task-not-found"
	case errors.Is(err, asynq.ErrQueueNotFound):
		return "queue-not-found"
	case errors.Is(err, asynq.ErrQueueNotEmpty):
		return "queue-not-empty"
	default:
		return "refused"
	}
}
