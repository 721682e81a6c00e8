//go:build !asynq024 && !asynq025

package main

import (
	"time"

	"github.com/hibiken/asynq"
)

// What the script needs and older versions lack.

var revoked = asynq.RevokeTask

func newTask(typename string, payload []byte, headers map[string]string) *asynq.Task {
	if headers == nil {
		return asynq.NewTask(typename, payload)
	}
	return asynq.NewTaskWithHeaders(typename, payload, headers)
}

func tune(config *asynq.Config, args serverArgs) {
	config.TaskCheckInterval = 100 * time.Millisecond
	config.JanitorInterval = millis(args.Janitor)
}

func schedulerOptions() *asynq.SchedulerOpts {
	return &asynq.SchedulerOpts{HeartbeatInterval: time.Second, LogLevel: asynq.FatalLevel}
}

func updatePayload(inspector *asynq.Inspector, queue, id string, payload []byte) error {
	return inspector.UpdateTaskPayload(queue, id, payload)
}

func headersOf(info *asynq.TaskInfo) map[string]string {
	if info.Headers == nil {
		return map[string]string{}
	}
	return info.Headers
}
