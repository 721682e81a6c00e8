package main

import (
	"sort"
	"time"

	"github.com/hibiken/asynq"
)

// viewOfTask is a task as the library shows it; what it omits differs from call to call.
func viewOfTask(info *asynq.TaskInfo) map[string]any {
	return map[string]any{
		"id":          info.ID,
		"queue":       info.Queue,
		"type":        info.Type,
		"payload":     string(info.Payload),
		"state":       info.State.String(),
		"maxRetry":    info.MaxRetry,
		"retried":     info.Retried,
		"lastError":   info.LastErr,
		"headers":     headersOf(info),
		"failedAt":    secondsOf(info.LastFailedAt),
		"timeout":     int(info.Timeout.Seconds()),
		"deadline":    secondsOf(info.Deadline),
		"group":       info.Group,
		"next":        secondsOf(info.NextProcessAt),
		"orphaned":    info.IsOrphaned,
		"retention":   int(info.Retention.Seconds()),
		"completedAt": secondsOf(info.CompletedAt),
		"result":      string(info.Result),
	}
}

func secondsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func viewOfQueue(info *asynq.QueueInfo) map[string]any {
	return map[string]any{
		"queue":          info.Queue,
		"waiting":        info.Latency > 0,
		"size":           info.Size,
		"groups":         info.Groups,
		"pending":        info.Pending,
		"active":         info.Active,
		"scheduled":      info.Scheduled,
		"retry":          info.Retry,
		"archived":       info.Archived,
		"completed":      info.Completed,
		"aggregating":    info.Aggregating,
		"processed":      info.Processed,
		"failed":         info.Failed,
		"processedTotal": info.ProcessedTotal,
		"failedTotal":    info.FailedTotal,
		"paused":         info.Paused,
	}
}

func viewOfServer(info *asynq.ServerInfo) map[string]any {
	workers := []any{}
	sort.Slice(info.ActiveWorkers, func(i, j int) bool {
		return info.ActiveWorkers[i].TaskID < info.ActiveWorkers[j].TaskID
	})
	for _, worker := range info.ActiveWorkers {
		workers = append(workers, map[string]any{
			"id":       worker.TaskID,
			"type":     worker.TaskType,
			"payload":  string(worker.TaskPayload),
			"queue":    worker.Queue,
			"started":  secondsOf(worker.Started),
			"deadline": secondsOf(worker.Deadline),
		})
	}
	return map[string]any{
		"concurrency": info.Concurrency,
		"queues":      info.Queues,
		"strict":      info.StrictPriority,
		"status":      info.Status,
		"started":     secondsOf(info.Started),
		"workers":     workers,
	}
}
