package main

import (
	"fmt"
	"time"

	"github.com/hibiken/asynq"
)

type queueArgs struct {
	Queue string `json:"queue"`
}

type taskArgs struct {
	Queue string `json:"queue"`
	ID    string `json:"id"`
}

type listArgs struct {
	Queue string `json:"queue"`
	State string `json:"state"`
	Group string `json:"group"`
	Page  int    `json:"page"`
	Size  int    `json:"size"`
}

type historyArgs struct {
	Queue string `json:"queue"`
	Days  int    `json:"days"`
}

func inspectorCommands(redis asynq.RedisConnOpt) commands {
	inspector := asynq.NewInspector(redis)
	commands := commands{
		"queues": typed(func(struct{}) (any, error) { return inspector.Queues() }),
		"list":   typed(func(args listArgs) (any, error) { return list(inspector, args) }),
		"queueInfo": typed(func(args queueArgs) (any, error) {
			info, err := inspector.GetQueueInfo(args.Queue)
			if err != nil {
				return nil, err
			}
			return viewOfQueue(info), nil
		}),
		"taskInfo": typed(func(args taskArgs) (any, error) {
			info, err := inspector.GetTaskInfo(args.Queue, args.ID)
			if err != nil {
				return nil, err
			}
			return viewOfTask(info), nil
		}),
		"groups": typed(func(args queueArgs) (any, error) {
			groups, err := inspector.Groups(args.Queue)
			views := make([]groupView, len(groups))
			for i, group := range groups {
				views[i] = groupView{Group: group.Group, Size: group.Size}
			}
			return views, err
		}),
		"history": typed(func(args historyArgs) (any, error) {
			days, err := inspector.History(args.Queue, args.Days)
			views := make([]dayView, len(days))
			for i, day := range days {
				views[i] = dayView{day.Queue, day.Processed, day.Failed, day.Date.UTC().Format(time.DateOnly)}
			}
			return views, err
		}),
		"servers": typed(func(struct{}) (any, error) {
			servers, err := inspector.Servers()
			views := make([]serverView, len(servers))
			for i, server := range servers {
				views[i] = viewOfServer(server)
			}
			return views, err
		}),
	}
	commands.add(moverCommands(inspector))
	return commands
}

// moverCommands change something and return nothing but an error.
func moverCommands(inspector *asynq.Inspector) commands {
	onTask := func(do func(queue, id string) error) command {
		return typed(func(args taskArgs) (any, error) { return nil, do(args.Queue, args.ID) })
	}
	onQueue := func(do func(queue string) error) command {
		return typed(func(args queueArgs) (any, error) { return nil, do(args.Queue) })
	}
	return commands{
		"run":     onTask(inspector.RunTask),
		"archive": onTask(inspector.ArchiveTask),
		"delete":  onTask(inspector.DeleteTask),
		"cancel":  onTask(func(_, id string) error { return inspector.CancelProcessing(id) }),
		"pause":   onQueue(inspector.PauseQueue),
		"unpause": onQueue(inspector.UnpauseQueue),
	}
}

func list(inspector *asynq.Inspector, args listArgs) (any, error) {
	var options []asynq.ListOption
	if args.Size > 0 {
		options = append(options, asynq.PageSize(args.Size))
	}
	if args.Page > 0 {
		options = append(options, asynq.Page(args.Page))
	}
	infos, err := listByState(inspector, args, options)
	if err != nil {
		return nil, err
	}
	return viewsOfTasks(infos), nil
}

func listByState(inspector *asynq.Inspector, args listArgs, options []asynq.ListOption) ([]*asynq.TaskInfo, error) {
	switch args.State {
	case "pending":
		return inspector.ListPendingTasks(args.Queue, options...)
	case "active":
		return inspector.ListActiveTasks(args.Queue, options...)
	case "scheduled":
		return inspector.ListScheduledTasks(args.Queue, options...)
	case "retry":
		return inspector.ListRetryTasks(args.Queue, options...)
	case "archived":
		return inspector.ListArchivedTasks(args.Queue, options...)
	case "completed":
		return inspector.ListCompletedTasks(args.Queue, options...)
	case "aggregating":
		return inspector.ListAggregatingTasks(args.Queue, args.Group, options...)
	default:
		return nil, fmt.Errorf("unknown state %q", args.State)
	}
}
