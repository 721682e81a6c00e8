package main

import (
	"fmt"
	"time"

	"github.com/hibiken/asynq"
)

// enqueueArgs is a task and its options. A missing payload (null) differs from an empty
// one ("").
type enqueueArgs struct {
	Type        string            `json:"type"`
	Payload     []byte            `json:"payload"`
	Headers     map[string]string `json:"headers"`
	Queue       *string           `json:"queue"`
	TaskID      *string           `json:"taskId"`
	MaxRetry    *int              `json:"maxRetry"`
	TimeoutMs   *int64            `json:"timeoutMs"`
	Deadline    *time.Time        `json:"deadline"`
	UniqueMs    *int64            `json:"uniqueMs"`
	ProcessAt   *time.Time        `json:"processAt"`
	ProcessInMs *int64            `json:"processInMs"`
	RetentionMs *int64            `json:"retentionMs"`
	Group       *string           `json:"group"`
}

type enqueueManyArgs struct {
	Type   string `json:"type"`
	Queue  string `json:"queue"`
	Prefix string `json:"prefix"`
	Count  int    `json:"count"`
}

func clientCommands(redis asynq.RedisConnOpt) commands {
	client := asynq.NewClient(redis)
	return commands{
		"enqueue": typed(func(args enqueueArgs) (any, error) {
			info, err := client.Enqueue(args.task(), args.options()...)
			if err != nil {
				return nil, err
			}
			return viewOfTask(info), nil
		}),
		"enqueueMany": typed(func(args enqueueManyArgs) (any, error) {
			for i := range args.Count {
				id := fmt.Sprintf("%s%d", args.Prefix, i)
				task := asynq.NewTask(args.Type, []byte(id), asynq.TaskID(id), asynq.Queue(args.Queue))
				if _, err := client.Enqueue(task); err != nil {
					return nil, err
				}
			}
			return args.Count, nil
		}),
	}
}

func (a enqueueArgs) task() *asynq.Task {
	if a.Headers == nil {
		return asynq.NewTask(a.Type, a.Payload)
	}
	return asynq.NewTaskWithHeaders(a.Type, a.Payload, a.Headers)
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
	if a.TimeoutMs != nil {
		options = append(options, asynq.Timeout(millis(*a.TimeoutMs)))
	}
	if a.Deadline != nil {
		options = append(options, asynq.Deadline(*a.Deadline))
	}
	if a.UniqueMs != nil {
		options = append(options, asynq.Unique(millis(*a.UniqueMs)))
	}
	if a.ProcessAt != nil {
		options = append(options, asynq.ProcessAt(*a.ProcessAt))
	}
	if a.ProcessInMs != nil {
		options = append(options, asynq.ProcessIn(millis(*a.ProcessInMs)))
	}
	if a.RetentionMs != nil {
		options = append(options, asynq.Retention(millis(*a.RetentionMs)))
	}
	if a.Group != nil {
		options = append(options, asynq.Group(*a.Group))
	}
	return options
}

func millis(n int64) time.Duration {
	return time.Duration(n) * time.Millisecond
}
