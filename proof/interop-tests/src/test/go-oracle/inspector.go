package main

import "github.com/hibiken/asynq"

type inspectArgs struct {
	Queue   string `json:"queue"`
	ID      string `json:"id"`
	State   string `json:"state"`
	Group   string `json:"group"`
	Payload string `json:"payload"`
	Page    int    `json:"page"`
	Size    int    `json:"size"`
	Days    int    `json:"days"`
	Force   bool   `json:"force"`
}

func addInspector(operations map[string]operation, redis asynq.RedisConnOpt) {
	inspector := asynq.NewInspector(redis)
	add := func(name string, do func(a inspectArgs) (any, error)) {
		operations[name] = decoded(do)
	}
	addChanges(add, inspector)
	addBulk(add, inspector)
	add("queues", func(inspectArgs) (any, error) {
		queues, err := inspector.Queues()
		names := map[string]bool{}
		for _, queue := range queues {
			names[queue] = true
		}
		return names, err
	})
	add("queueInfo", func(a inspectArgs) (any, error) {
		info, err := inspector.GetQueueInfo(a.Queue)
		if err != nil {
			return nil, err
		}
		return viewOfQueue(info), nil
	})
	add("history", func(a inspectArgs) (any, error) {
		days, err := inspector.History(a.Queue, a.Days)
		view := make([][]int, len(days))
		for i, day := range days {
			view[i] = []int{day.Processed, day.Failed}
		}
		return view, err
	})
	add("groups", func(a inspectArgs) (any, error) {
		groups, err := inspector.Groups(a.Queue)
		sizes := map[string]int{}
		for _, group := range groups {
			sizes[group.Group] = group.Size
		}
		return sizes, err
	})
	add("taskInfo", func(a inspectArgs) (any, error) {
		info, err := inspector.GetTaskInfo(a.Queue, a.ID)
		if err != nil {
			return nil, err
		}
		return viewOfTask(info), nil
	})
	add("list", func(a inspectArgs) (any, error) {
		infos, err := list(inspector, a)
		if err != nil {
			return nil, err
		}
		views := make([]any, len(infos))
		for i, info := range infos {
			views[i] = viewOfTask(info)
		}
		return views, nil
	})
	add("servers", func(inspectArgs) (any, error) {
		servers, err := inspector.Servers()
		views := make([]any, len(servers))
		for i, server := range servers {
			views[i] = viewOfServer(server)
		}
		return views, err
	})
}

func addChanges(add func(string, func(inspectArgs) (any, error)), inspector *asynq.Inspector) {
	add("run", func(a inspectArgs) (any, error) { return nil, inspector.RunTask(a.Queue, a.ID) })
	add("archive", func(a inspectArgs) (any, error) { return nil, inspector.ArchiveTask(a.Queue, a.ID) })
	add("delete", func(a inspectArgs) (any, error) { return nil, inspector.DeleteTask(a.Queue, a.ID) })
	add("update", func(a inspectArgs) (any, error) {
		return nil, updatePayload(inspector, a.Queue, a.ID, []byte(a.Payload))
	})
	add("cancel", func(a inspectArgs) (any, error) { return nil, inspector.CancelProcessing(a.ID) })
	add("pause", func(a inspectArgs) (any, error) { return nil, inspector.PauseQueue(a.Queue) })
	add("resume", func(a inspectArgs) (any, error) { return nil, inspector.UnpauseQueue(a.Queue) })
	add("keySlot", func(a inspectArgs) (any, error) { return inspector.ClusterKeySlot(a.Queue) })
	add("nodes", func(a inspectArgs) (any, error) { return inspector.ClusterNodes(a.Queue) })
	add("deleteQueue", func(a inspectArgs) (any, error) { return nil, inspector.DeleteQueue(a.Queue, a.Force) })
}

func addBulk(add func(string, func(inspectArgs) (any, error)), inspector *asynq.Inspector) {
	add("runAll", func(a inspectArgs) (any, error) {
		switch a.State {
		case "scheduled":
			return count(inspector.RunAllScheduledTasks(a.Queue))
		case "retry":
			return count(inspector.RunAllRetryTasks(a.Queue))
		case "archived":
			return count(inspector.RunAllArchivedTasks(a.Queue))
		case "aggregating":
			return count(inspector.RunAllAggregatingTasks(a.Queue, a.Group))
		}
		return nil, brokenScript("runAll of " + a.State)
	})
	add("archiveAll", func(a inspectArgs) (any, error) {
		switch a.State {
		case "pending":
			return count(inspector.ArchiveAllPendingTasks(a.Queue))
		case "scheduled":
			return count(inspector.ArchiveAllScheduledTasks(a.Queue))
		case "retry":
			return count(inspector.ArchiveAllRetryTasks(a.Queue))
		case "aggregating":
			return count(inspector.ArchiveAllAggregatingTasks(a.Queue, a.Group))
		}
		return nil, brokenScript("archiveAll of " + a.State)
	})
	add("deleteAll", func(a inspectArgs) (any, error) {
		switch a.State {
		case "pending":
			return count(inspector.DeleteAllPendingTasks(a.Queue))
		case "scheduled":
			return count(inspector.DeleteAllScheduledTasks(a.Queue))
		case "retry":
			return count(inspector.DeleteAllRetryTasks(a.Queue))
		case "archived":
			return count(inspector.DeleteAllArchivedTasks(a.Queue))
		case "completed":
			return count(inspector.DeleteAllCompletedTasks(a.Queue))
		case "aggregating":
			return count(inspector.DeleteAllAggregatingTasks(a.Queue, a.Group))
		}
		return nil, brokenScript("deleteAll of " + a.State)
	})
}

func list(inspector *asynq.Inspector, a inspectArgs) ([]*asynq.TaskInfo, error) {
	page := []asynq.ListOption{asynq.Page(a.Page), asynq.PageSize(a.Size)}
	switch a.State {
	case "pending":
		return inspector.ListPendingTasks(a.Queue, page...)
	case "active":
		return inspector.ListActiveTasks(a.Queue, page...)
	case "scheduled":
		return inspector.ListScheduledTasks(a.Queue, page...)
	case "retry":
		return inspector.ListRetryTasks(a.Queue, page...)
	case "archived":
		return inspector.ListArchivedTasks(a.Queue, page...)
	case "completed":
		return inspector.ListCompletedTasks(a.Queue, page...)
	case "aggregating":
		return inspector.ListAggregatingTasks(a.Queue, a.Group, page...)
	}
	return nil, brokenScript("list of " + a.State)
}

// count keeps a zero from being omitted from an answer.
func count(n int, err error) (any, error) {
	return map[string]int{"count": n}, err
}
