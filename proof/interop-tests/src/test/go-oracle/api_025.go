//go:build asynq025

package main

import (
	"time"

	"github.com/hibiken/asynq"
)

// What the script needs and version 0.25 supports.

var revoked = asynq.RevokeTask

func newTask(typename string, payload []byte, _ map[string]string) *asynq.Task {
	return asynq.NewTask(typename, payload)
}

func tune(config *asynq.Config, args serverArgs) {
	config.TaskCheckInterval = 100 * time.Millisecond
	config.JanitorInterval = millis(args.Janitor)
}

func schedulerOptions() *asynq.SchedulerOpts {
	return &asynq.SchedulerOpts{HeartbeatInterval: time.Second, LogLevel: asynq.FatalLevel}
}

func updatePayload(*asynq.Inspector, string, string, []byte) error {
	return brokenScript("asynq 0.25 cannot update payloads")
}

func headersOf(*asynq.TaskInfo) map[string]string {
	return map[string]string{}
}
