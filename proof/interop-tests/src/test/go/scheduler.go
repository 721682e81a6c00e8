package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

// entryView is an entry of a scheduler as the library's inspector gives it; zero times become
// null.
type entryView struct {
	ID      string     `json:"id"`
	Spec    string     `json:"spec"`
	Type    string     `json:"type"`
	Payload []byte     `json:"payload"`
	Options []string   `json:"options"`
	Next    *time.Time `json:"next"`
	Prev    *time.Time `json:"prev"`
}

type eventView struct {
	TaskID     string     `json:"taskId"`
	EnqueuedAt *time.Time `json:"enqueuedAt"`
}

type entryArgs struct {
	ID string `json:"id"`
}

type registerArgs struct {
	Spec string      `json:"spec"`
	Task enqueueArgs `json:"task"`
}

// schedulers are this process's schedulers by name.
type schedulers struct {
	redis asynq.RedisConnOpt
	mu    sync.Mutex
	named map[string]*asynq.Scheduler
}

type schedulerArgs struct {
	Name        string         `json:"name"`
	HeartbeatMs int64          `json:"heartbeatMs"`
	Entries     []registerArgs `json:"entries"`
}

func schedulerCommands(redis asynq.RedisConnOpt) commands {
	inspector := asynq.NewInspector(redis)
	schedulers := &schedulers{redis: redis, named: map[string]*asynq.Scheduler{}}
	return commands{
		"cron.fireTimes": typed(func(struct{}) (any, error) { return fireTimes() }),
		"cron.verdicts":  typed(func(struct{}) (any, error) { return verdicts(), nil }),
		"scheduler.entries": typed(func(struct{}) (any, error) {
			entries, err := inspector.SchedulerEntries()
			views := make([]entryView, len(entries))
			for i, entry := range entries {
				views[i] = viewOfEntry(entry)
			}
			return views, err
		}),
		"scheduler.events": typed(func(args entryArgs) (any, error) {
			events, err := inspector.ListSchedulerEnqueueEvents(args.ID)
			views := make([]eventView, len(events))
			for i, event := range events {
				views[i] = eventView{TaskID: event.TaskID, EnqueuedAt: timeOrNil(event.EnqueuedAt)}
			}
			return views, err
		}),
		"scheduler.start":    typed(func(args schedulerArgs) (any, error) { return schedulers.start(args) }),
		"scheduler.shutdown": typed(func(args nameArgs) (any, error) { return nil, schedulers.shutdown(args.Name) }),
	}
}

func viewOfEntry(entry *asynq.SchedulerEntry) entryView {
	view := entryView{
		ID:      entry.ID,
		Spec:    entry.Spec,
		Type:    entry.Task.Type(),
		Payload: entry.Task.Payload(),
		Options: []string{},
		Next:    timeOrNil(entry.Next),
		Prev:    timeOrNil(entry.Prev),
	}
	for _, option := range entry.Opts {
		view.Options = append(view.Options, option.String())
	}
	return view
}

// start returns the ids of the entries.
func (s *schedulers) start(args schedulerArgs) ([]string, error) {
	scheduler := asynq.NewScheduler(s.redis, &asynq.SchedulerOpts{
		HeartbeatInterval: millis(args.HeartbeatMs),
		LogLevel:          asynq.WarnLevel,
	})
	ids := make([]string, len(args.Entries))
	for i, entry := range args.Entries {
		id, err := scheduler.Register(entry.Spec, entry.Task.task(), entry.Task.options()...)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	s.mu.Lock()
	s.named[args.Name] = scheduler
	s.mu.Unlock()
	return ids, scheduler.Start()
}

func (s *schedulers) shutdown(name string) error {
	s.mu.Lock()
	scheduler, known := s.named[name]
	delete(s.named, name)
	s.mu.Unlock()
	if !known {
		return fmt.Errorf("no scheduler %q", name)
	}
	scheduler.Shutdown()
	return nil
}
