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

type unregisterArgs struct {
	Name string `json:"name"`
	// Spec names the entry: its id is random.
	Spec string `json:"spec"`
}

type eventsArgs struct {
	// Spec names the entry: its id is random.
	Spec string `json:"spec"`
}

func addScheduler(operations map[string]operation, redis asynq.RedisConnOpt) {
	schedulers := map[string]*asynq.Scheduler{}
	ids := map[unregisterArgs]string{}
	inspector := asynq.NewInspector(redis)
	operations["scheduler.start"] = decoded(func(args schedulerArgs) (any, error) {
		scheduler := asynq.NewScheduler(redis, schedulerOptions())
		for _, entry := range args.Entries {
			task := asynq.NewTask(entry.Type, []byte(entry.Payload))
			id, err := scheduler.Register(entry.Spec, task, entry.Options.options()...)
			if err != nil {
				return nil, err
			}
			ids[unregisterArgs{args.Name, entry.Spec}] = id
		}
		schedulers[args.Name] = scheduler
		return nil, scheduler.Start()
	})
	operations["scheduler.unregister"] = decoded(func(args unregisterArgs) (any, error) {
		scheduler, known := schedulers[args.Name]
		if !known {
			return nil, brokenScript("no scheduler " + args.Name)
		}
		return nil, scheduler.Unregister(ids[args])
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
				"next":    secondsOf(entry.Next),
				"fired":   !entry.Prev.IsZero(),
			}
		}
		return views, err
	})
	operations["schedulerEvents"] = decoded(func(args eventsArgs) (any, error) {
		entries, err := inspector.SchedulerEntries()
		times := map[string]int64{}
		for _, entry := range entries {
			if entry.Spec == args.Spec {
				events, err := inspector.ListSchedulerEnqueueEvents(entry.ID, asynq.Page(1), asynq.PageSize(10))
				if err != nil {
					return nil, err
				}
				for _, event := range events {
					times[event.TaskID] = secondsOf(event.EnqueuedAt)
				}
			}
		}
		return times, err
	})
}
