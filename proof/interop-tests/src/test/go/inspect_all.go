package main

import (
	"fmt"
	"time"

	"github.com/hibiken/asynq"
)

type inspectAllArgs struct {
	Queue string `json:"queue"`
	State string `json:"state"`
	Group string `json:"group"`
}

type inspectPayloadArgs struct {
	Queue   string `json:"queue"`
	ID      string `json:"id"`
	Payload []byte `json:"payload"`
}

type inspectDeleteArgs struct {
	Queue string `json:"queue"`
	Force bool   `json:"force"`
}

type inspectEventsArgs struct {
	Entry string `json:"entry"`
	Page  int    `json:"page"`
	Size  int    `json:"size"`
}

type inspectSchedulerArgs struct {
	Spec string `json:"spec"`
}

type inspectEntryView struct {
	ID      string     `json:"id"`
	Spec    string     `json:"spec"`
	Type    string     `json:"type"`
	Payload []byte     `json:"payload"`
	Options []string   `json:"options"`
	Next    *time.Time `json:"next"`
	Prev    *time.Time `json:"prev"`
}

type inspectEventView struct {
	TaskID     string    `json:"taskId"`
	EnqueuedAt time.Time `json:"enqueuedAt"`
}

// inspectAllCommands are calls of Go's inspector for many tasks, queues and schedulers.
func inspectAllCommands(redis asynq.RedisConnOpt) commands {
	inspector := asynq.NewInspector(redis)
	return commands{
		"inspect.runAll":     typed(func(args inspectAllArgs) (any, error) { return inspectRunAll(inspector, args) }),
		"inspect.archiveAll": typed(func(args inspectAllArgs) (any, error) { return inspectArchiveAll(inspector, args) }),
		"inspect.deleteAll":  typed(func(args inspectAllArgs) (any, error) { return inspectDeleteAll(inspector, args) }),
		"inspect.updatePayload": typed(func(args inspectPayloadArgs) (any, error) {
			return nil, inspector.UpdateTaskPayload(args.Queue, args.ID, args.Payload)
		}),
		"inspect.deleteQueue": typed(func(args inspectDeleteArgs) (any, error) {
			return nil, inspector.DeleteQueue(args.Queue, args.Force)
		}),
		"inspect.schedulerEntries": typed(func(struct{}) (any, error) { return inspectEntries(inspector) }),
		"inspect.enqueueEvents": typed(func(args inspectEventsArgs) (any, error) {
			events, err := inspector.ListSchedulerEnqueueEvents(args.Entry, asynq.Page(args.Page), asynq.PageSize(args.Size))
			views := make([]inspectEventView, len(events))
			for i, event := range events {
				views[i] = inspectEventView{event.TaskID, event.EnqueuedAt.UTC()}
			}
			return views, err
		}),
		"inspect.startScheduler": typed(func(args inspectSchedulerArgs) (any, error) {
			return inspectStartScheduler(redis, args.Spec)
		}),
	}
}

func inspectRunAll(inspector *asynq.Inspector, args inspectAllArgs) (int, error) {
	switch args.State {
	case "scheduled":
		return inspector.RunAllScheduledTasks(args.Queue)
	case "retry":
		return inspector.RunAllRetryTasks(args.Queue)
	case "archived":
		return inspector.RunAllArchivedTasks(args.Queue)
	case "aggregating":
		return inspector.RunAllAggregatingTasks(args.Queue, args.Group)
	}
	return 0, fmt.Errorf("not all %q tasks can be run", args.State)
}

func inspectArchiveAll(inspector *asynq.Inspector, args inspectAllArgs) (int, error) {
	switch args.State {
	case "pending":
		return inspector.ArchiveAllPendingTasks(args.Queue)
	case "scheduled":
		return inspector.ArchiveAllScheduledTasks(args.Queue)
	case "retry":
		return inspector.ArchiveAllRetryTasks(args.Queue)
	case "aggregating":
		return inspector.ArchiveAllAggregatingTasks(args.Queue, args.Group)
	}
	return 0, fmt.Errorf("not all %q tasks can be archived", args.State)
}

func inspectDeleteAll(inspector *asynq.Inspector, args inspectAllArgs) (int, error) {
	switch args.State {
	case "pending":
		return inspector.DeleteAllPendingTasks(args.Queue)
	case "scheduled":
		return inspector.DeleteAllScheduledTasks(args.Queue)
	case "retry":
		return inspector.DeleteAllRetryTasks(args.Queue)
	case "archived":
		return inspector.DeleteAllArchivedTasks(args.Queue)
	case "completed":
		return inspector.DeleteAllCompletedTasks(args.Queue)
	case "aggregating":
		return inspector.DeleteAllAggregatingTasks(args.Queue, args.Group)
	}
	return 0, fmt.Errorf("not all %q tasks can be deleted", args.State)
}

func inspectEntries(inspector *asynq.Inspector) (any, error) {
	entries, err := inspector.SchedulerEntries()
	views := make([]inspectEntryView, len(entries))
	for i, entry := range entries {
		views[i] = inspectEntryView{ID: entry.ID, Spec: entry.Spec, Type: entry.Task.Type(),
			Payload: entry.Task.Payload(), Next: timeOrNil(entry.Next), Prev: timeOrNil(entry.Prev)}
		for _, option := range entry.Opts {
			views[i].Options = append(views[i].Options, option.String())
		}
	}
	return views, err
}

// inspectStartScheduler starts a scheduler with two entries, one of which never fires. It lives
// as long as this process.
func inspectStartScheduler(redis asynq.RedisConnOpt, spec string) (any, error) {
	scheduler := asynq.NewScheduler(redis, &asynq.SchedulerOpts{HeartbeatInterval: time.Second, LogLevel: asynq.FatalLevel})
	fires, err := scheduler.Register(spec, asynq.NewTask("report", []byte("42")),
		asynq.Queue("low \"1\""), asynq.MaxRetry(3), asynq.Timeout(90*time.Minute), asynq.Unique(time.Second),
		asynq.Retention(36*time.Hour), asynq.Deadline(time.Date(2096, 1, 2, 3, 4, 5, 0, time.UTC)))
	if err != nil {
		return nil, err
	}
	if _, err := scheduler.Register("0 0 31 2 *", asynq.NewTask("never", nil)); err != nil {
		return nil, err
	}
	return fires, scheduler.Start()
}
