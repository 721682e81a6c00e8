package main

import "github.com/hibiken/asynq"

type entryArgs struct {
	Spec    string `json:"spec"`
	Type    string `json:"type"`
	Payload string `json:"payload"`
	// Options are the enqueue options of the entry, as in enqueueArgs.
	Options enqueueArgs `json:"options"`
}

type schedulerArgs struct {
	Name    string      `json:"name"`
	Entries []entryArgs `json:"entries"`
}

type eventsArgs struct {
	// Spec names the entry: its id is random.
	Spec string `json:"spec"`
}

func addScheduler(operations map[string]operation, redis asynq.RedisConnOpt) {
	schedulers := map[string]*asynq.Scheduler{}
	inspector := asynq.NewInspector(redis)
	operations["scheduler.start"] = decoded(func(args schedulerArgs) (any, error) {
		scheduler := asynq.NewScheduler(redis, schedulerOptions())
		for _, entry := range args.Entries {
			task := asynq.NewTask(entry.Type, []byte(entry.Payload))
			if _, err := scheduler.Register(entry.Spec, task, entry.Options.options()...); err != nil {
				return nil, err
			}
		}
		schedulers[args.Name] = scheduler
		return nil, scheduler.Start()
	})
	operations["scheduler.stop"] = decoded(func(args nameArgs) (any, error) {
		scheduler, known := schedulers[args.Name]
		if !known {
			return nil, brokenScript("no scheduler " + args.Name)
		}
		scheduler.Shutdown()
		return nil, nil
	})
	operations["schedulerEntries"] = decoded(func(struct{}) (any, error) {
		entries, err := inspector.SchedulerEntries()
		views := map[string]any{}
		for _, entry := range entries {
			options := []string{}
			for _, option := range entry.Opts {
				options = append(options, option.String())
			}
			views[entry.Spec] = map[string]any{
				"type":    entry.Task.Type(),
				"payload": string(entry.Task.Payload()),
				"options": options,
				"fired":   !entry.Prev.IsZero(),
			}
		}
		return views, err
	})
	operations["schedulerEvents"] = decoded(func(args eventsArgs) (any, error) {
		entries, err := inspector.SchedulerEntries()
		ids := []string{}
		for _, entry := range entries {
			if entry.Spec == args.Spec {
				events, err := inspector.ListSchedulerEnqueueEvents(entry.ID, asynq.Page(1), asynq.PageSize(10))
				if err != nil {
					return nil, err
				}
				for _, event := range events {
					ids = append(ids, event.TaskID)
				}
			}
		}
		return ids, err
	})
}
