package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

type serverArgs struct {
	Name              string               `json:"name"`
	Concurrency       int                  `json:"concurrency"`
	Queues            map[string]int       `json:"queues"`
	Strict            bool                 `json:"strict"`
	ShutdownTimeoutMs int64                `json:"shutdownTimeoutMs"`
	TaskCheckMs       int64                `json:"taskCheckMs"`
	DelayedCheckMs    int64                `json:"delayedCheckMs"`
	JanitorMs         int64                `json:"janitorMs"`
	RetryDelayMs      int64                `json:"retryDelayMs"`
	GroupGraceMs      int64                `json:"groupGraceMs"`
	GroupMaxSize      int                  `json:"groupMaxSize"`
	AggregateTo       string               `json:"aggregateTo"`
	Behaviours        map[string]behaviour `json:"behaviours"`
}

type nameArgs struct {
	Name string `json:"name"`
}

// runningServer is a server and what its handlers wait for.
type runningServer struct {
	server  *asynq.Server
	handler *handler
}

// fleet is all servers of this process, by the name that the driver gave them.
type fleet struct {
	redis   asynq.RedisConnOpt
	out     *output
	mu      sync.Mutex
	servers map[string]runningServer
}

func serverCommands(redis asynq.RedisConnOpt, out *output) commands {
	fleet := &fleet{redis: redis, out: out, servers: map[string]runningServer{}}
	onServer := func(do func(runningServer)) command {
		return typed(func(args nameArgs) (any, error) {
			server, err := fleet.find(args.Name)
			if err == nil {
				do(server)
			}
			return nil, err
		})
	}
	return commands{
		"server.start":    typed(func(args serverArgs) (any, error) { return nil, fleet.start(args) }),
		"server.stop":     onServer(func(s runningServer) { s.server.Stop() }),
		"server.shutdown": onServer(func(s runningServer) { s.server.Shutdown() }),
		"server.release":  onServer(func(s runningServer) { s.handler.release() }),
	}
}

func (f *fleet) start(args serverArgs) error {
	handler := newHandler(args.Name, args.Behaviours, f.out)
	server := asynq.NewServer(f.redis, args.config())
	f.mu.Lock()
	f.servers[args.Name] = runningServer{server, handler}
	f.mu.Unlock()
	return server.Start(handler)
}

func (f *fleet) find(name string) (runningServer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	server, known := f.servers[name]
	if !known {
		return runningServer{}, fmt.Errorf("no server %q", name)
	}
	return server, nil
}

func (a serverArgs) config() asynq.Config {
	config := asynq.Config{
		Concurrency:              a.Concurrency,
		Queues:                   a.Queues,
		StrictPriority:           a.Strict,
		ShutdownTimeout:          millis(a.ShutdownTimeoutMs),
		TaskCheckInterval:        millis(a.TaskCheckMs),
		DelayedTaskCheckInterval: millis(a.DelayedCheckMs),
		JanitorInterval:          millis(a.JanitorMs),
		GroupGracePeriod:         millis(a.GroupGraceMs),
		GroupMaxSize:             a.GroupMaxSize,
		LogLevel:                 asynq.WarnLevel,
		IsFailure:                func(err error) bool { return err != nil && !errors.Is(err, errPostponed) },
		RetryDelayFunc: func(int, error, *asynq.Task) time.Duration {
			return millis(a.RetryDelayMs)
		},
	}
	if a.AggregateTo != "" {
		config.GroupAggregator = asynq.GroupAggregatorFunc(func(group string, tasks []*asynq.Task) *asynq.Task {
			return asynq.NewTask(a.AggregateTo, []byte(group+":"+joinedPayloads(tasks)))
		})
	}
	return config
}

func joinedPayloads(tasks []*asynq.Task) string {
	payloads := make([]string, len(tasks))
	for i, task := range tasks {
		payloads[i] = string(task.Payload())
	}
	return strings.Join(payloads, ",")
}
