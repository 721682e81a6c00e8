package main

import (
	"fmt"
	"time"

	"github.com/hibiken/asynq"
)

// enqueueGroupedArgs is many tasks, whose payload is their id, spread over some groups.
type enqueueGroupedArgs struct {
	Type   string `json:"type"`
	Queue  string `json:"queue"`
	Prefix string `json:"prefix"`
	Count  int    `json:"count"`
	Groups int    `json:"groups"`
	Unique bool   `json:"unique"`
}

func groupCommands(redis asynq.RedisConnOpt) commands {
	client := asynq.NewClient(redis)
	return commands{
		"enqueueGrouped": typed(func(args enqueueGroupedArgs) (any, error) {
			for i := range args.Count {
				id := fmt.Sprintf("%s%d", args.Prefix, i)
				options := []asynq.Option{asynq.TaskID(id), asynq.Queue(args.Queue),
					asynq.Group(fmt.Sprintf("g%d", i%args.Groups))}
				if args.Unique {
					options = append(options, asynq.Unique(time.Hour))
				}
				if _, err := client.Enqueue(asynq.NewTask(args.Type, []byte(id)), options...); err != nil {
					return nil, err
				}
			}
			return args.Count, nil
		}),
		"stageGroups": typed(func(struct{}) (any, error) { return nil, stageGroups(redis) }),
	}
}

// stageGroups runs a server that stages one group, does not aggregate it and ends.
func stageGroups(redis asynq.RedisConnOpt) error {
	staged := make(chan struct{}, 100)
	server := asynq.NewServer(redis, asynq.Config{
		LogLevel:         asynq.FatalLevel,
		GroupGracePeriod: time.Second,
		GroupAggregator: asynq.GroupAggregatorFunc(func(string, []*asynq.Task) *asynq.Task {
			staged <- struct{}{}
			return nil
		}),
	})
	if err := server.Start(asynq.NotFoundHandler()); err != nil {
		return err
	}
	defer server.Shutdown()
	select {
	case <-staged:
		return nil
	case <-time.After(20 * time.Second):
		return fmt.Errorf("no group was staged")
	}
}
