//go:build asynq024

package main

import (
	"github.com/hibiken/asynq"
)

// What the script needs and version 0.24 supports.

var revoked error = brokenScript("asynq 0.24 cannot revoke tasks")

func newTask(typename string, payload []byte, _ map[string]string) *asynq.Task {
	return asynq.NewTask(typename, payload)
}

// tune changes nothing: this version polls for tasks every second and for expired ones
// every 8.
func tune(*asynq.Config, serverArgs) {}

func schedulerOptions() *asynq.SchedulerOpts {
	return &asynq.SchedulerOpts{LogLevel: asynq.FatalLevel}
}

func updatePayload(*asynq.Inspector, string, string, []byte) error {
	return brokenScript("asynq 0.24 cannot update payloads")
}

func headersOf(*asynq.TaskInfo) map[string]string {
	return map[string]string{}
}
