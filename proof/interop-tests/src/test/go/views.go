package main

import (
	"time"

	"github.com/hibiken/asynq"
)

// taskView is every field of a task as the library gives it; zero times become null.
type taskView struct {
	ID               string            `json:"id"`
	Queue            string            `json:"queue"`
	Type             string            `json:"type"`
	Payload          []byte            `json:"payload"`
	Headers          map[string]string `json:"headers"`
	State            string            `json:"state"`
	MaxRetry         int               `json:"maxRetry"`
	Retried          int               `json:"retried"`
	LastError        string            `json:"lastError"`
	LastFailedAt     *time.Time        `json:"lastFailedAt"`
	TimeoutSeconds   float64           `json:"timeoutSeconds"`
	Deadline         *time.Time        `json:"deadline"`
	Group            string            `json:"group"`
	NextProcessAt    *time.Time        `json:"nextProcessAt"`
	Orphaned         bool              `json:"orphaned"`
	RetentionSeconds float64           `json:"retentionSeconds"`
	CompletedAt      *time.Time        `json:"completedAt"`
	Result           []byte            `json:"result"`
}

type queueView struct {
	Queue          string  `json:"queue"`
	MemoryUsage    int64   `json:"memoryUsage"`
	LatencyMs      float64 `json:"latencyMs"`
	Size           int     `json:"size"`
	Groups         int     `json:"groups"`
	Pending        int     `json:"pending"`
	Active         int     `json:"active"`
	Scheduled      int     `json:"scheduled"`
	Retry          int     `json:"retry"`
	Archived       int     `json:"archived"`
	Completed      int     `json:"completed"`
	Aggregating    int     `json:"aggregating"`
	Processed      int     `json:"processed"`
	Failed         int     `json:"failed"`
	ProcessedTotal int     `json:"processedTotal"`
	FailedTotal    int     `json:"failedTotal"`
	Paused         bool    `json:"paused"`
}

type dayView struct {
	Queue     string `json:"queue"`
	Processed int    `json:"processed"`
	Failed    int    `json:"failed"`
	Date      string `json:"date"`
}

type groupView struct {
	Group string `json:"group"`
	Size  int    `json:"size"`
}

type serverView struct {
	ID             string         `json:"id"`
	Host           string         `json:"host"`
	PID            int            `json:"pid"`
	Concurrency    int            `json:"concurrency"`
	Queues         map[string]int `json:"queues"`
	StrictPriority bool           `json:"strictPriority"`
	Started        *time.Time     `json:"started"`
	Status         string         `json:"status"`
	ActiveWorkers  []workerView   `json:"activeWorkers"`
}

type workerView struct {
	TaskID   string     `json:"taskId"`
	TaskType string     `json:"taskType"`
	Payload  []byte     `json:"payload"`
	Queue    string     `json:"queue"`
	Started  *time.Time `json:"started"`
	Deadline *time.Time `json:"deadline"`
}

func viewOfTask(info *asynq.TaskInfo) taskView {
	return taskView{
		ID:               info.ID,
		Queue:            info.Queue,
		Type:             info.Type,
		Payload:          info.Payload,
		Headers:          info.Headers,
		State:            info.State.String(),
		MaxRetry:         info.MaxRetry,
		Retried:          info.Retried,
		LastError:        info.LastErr,
		LastFailedAt:     timeOrNil(info.LastFailedAt),
		TimeoutSeconds:   info.Timeout.Seconds(),
		Deadline:         timeOrNil(info.Deadline),
		Group:            info.Group,
		NextProcessAt:    timeOrNil(info.NextProcessAt),
		Orphaned:         info.IsOrphaned,
		RetentionSeconds: info.Retention.Seconds(),
		CompletedAt:      timeOrNil(info.CompletedAt),
		Result:           info.Result,
	}
}

func viewsOfTasks(infos []*asynq.TaskInfo) []taskView {
	views := make([]taskView, len(infos))
	for i, info := range infos {
		views[i] = viewOfTask(info)
	}
	return views
}

func viewOfQueue(info *asynq.QueueInfo) queueView {
	return queueView{
		Queue:          info.Queue,
		MemoryUsage:    info.MemoryUsage,
		LatencyMs:      float64(info.Latency) / float64(time.Millisecond),
		Size:           info.Size,
		Groups:         info.Groups,
		Pending:        info.Pending,
		Active:         info.Active,
		Scheduled:      info.Scheduled,
		Retry:          info.Retry,
		Archived:       info.Archived,
		Completed:      info.Completed,
		Aggregating:    info.Aggregating,
		Processed:      info.Processed,
		Failed:         info.Failed,
		ProcessedTotal: info.ProcessedTotal,
		FailedTotal:    info.FailedTotal,
		Paused:         info.Paused,
	}
}

func viewOfServer(info *asynq.ServerInfo) serverView {
	view := serverView{
		ID:             info.ID,
		Host:           info.Host,
		PID:            info.PID,
		Concurrency:    info.Concurrency,
		Queues:         info.Queues,
		StrictPriority: info.StrictPriority,
		Started:        timeOrNil(info.Started),
		Status:         info.Status,
		ActiveWorkers:  []workerView{},
	}
	for _, worker := range info.ActiveWorkers {
		view.ActiveWorkers = append(view.ActiveWorkers, workerView{
			TaskID:   worker.TaskID,
			TaskType: worker.TaskType,
			Payload:  worker.TaskPayload,
			Queue:    worker.Queue,
			Started:  timeOrNil(worker.Started),
			Deadline: timeOrNil(worker.Deadline),
		})
	}
	return view
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	utc := t.UTC()
	return &utc
}
