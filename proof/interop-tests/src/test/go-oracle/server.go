package main

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/hibiken/asynq"
)

// errPostponed is an error that does not count as a failure.
var errPostponed = errors.New("postponed")

// serverArgs is a server. Times are milliseconds.
type serverArgs struct {
	Name        string         `json:"name"`
	Concurrency int            `json:"concurrency"`
	Queues      map[string]int `json:"queues"`
	Strict      bool           `json:"strict"`
	RetryDelay  int64          `json:"retryDelay"`
	Forward     int64          `json:"forward"`
	Janitor     int64          `json:"janitor"`
	Shutdown    int64          `json:"shutdown"`
	GroupGrace  int64          `json:"groupGrace"`
	GroupSize   int            `json:"groupSize"`
	GroupDelay  int64          `json:"groupDelay"`
	// Aggregate says how groups are aggregated: "" for not at all, "join", "null" or
	// "fail".
	Aggregate string `json:"aggregate"`
}

type nameArgs struct {
	Name string `json:"name"`
}

type runningServer struct {
	server  *asynq.Server
	release chan struct{}
}

func addServers(operations map[string]operation, redis asynq.RedisConnOpt) {
	servers := map[string]runningServer{}
	operations["server.start"] = decoded(func(args serverArgs) (any, error) {
		running := runningServer{asynq.NewServer(redis, args.config()), make(chan struct{})}
		servers[args.Name] = running
		return nil, running.server.Start(asynq.HandlerFunc(func(ctx context.Context, task *asynq.Task) error {
			return behave(ctx, task, running.release)
		}))
	})
	on := func(do func(runningServer)) operation {
		return decoded(func(args nameArgs) (any, error) {
			server, known := servers[args.Name]
			if !known {
				return nil, brokenScript("no server " + args.Name)
			}
			do(server)
			return nil, nil
		})
	}
	operations["server.quiet"] = on(func(s runningServer) { s.server.Stop() })
	operations["server.stop"] = on(func(s runningServer) { s.server.Shutdown() })
	operations["server.release"] = on(func(s runningServer) { close(s.release) })
}

func (a serverArgs) config() asynq.Config {
	config := asynq.Config{
		Concurrency:              a.Concurrency,
		Queues:                   a.Queues,
		StrictPriority:           a.Strict,
		ShutdownTimeout:          millis(a.Shutdown),
		DelayedTaskCheckInterval: millis(a.Forward),
		GroupGracePeriod:         millis(a.GroupGrace),
		GroupMaxSize:             a.GroupSize,
		GroupMaxDelay:            millis(a.GroupDelay),
		LogLevel:                 asynq.ErrorLevel,
		IsFailure:                func(err error) bool { return err != nil && !errors.Is(err, errPostponed) },
		RetryDelayFunc:           func(int, error, *asynq.Task) time.Duration { return millis(a.RetryDelay) },
	}
	tune(&config, a)
	switch a.Aggregate {
	case "join":
		config.GroupAggregator = asynq.GroupAggregatorFunc(join)
	case "null", "fail":
		// An aggregator can only fail by making no task: a panic ends the process
		config.GroupAggregator = asynq.GroupAggregatorFunc(func(string, []*asynq.Task) *asynq.Task { return nil })
	}
	return config
}

// join makes a task of the name of the group and the payloads of its members, which are
// sorted: within a second their order is that of their ids.
func join(group string, tasks []*asynq.Task) *asynq.Task {
	payloads := make([]string, len(tasks))
	for i, task := range tasks {
		payloads[i] = string(task.Payload())
	}
	sort.Strings(payloads)
	return asynq.NewTask("joined", []byte(group+"="+strings.Join(payloads, "+")))
}

// behave executes the payload: words "do" or "do:text", one after the other.
func behave(ctx context.Context, task *asynq.Task, release <-chan struct{}) error {
	for _, word := range strings.Fields(string(task.Payload())) {
		do, text, _ := strings.Cut(word, ":")
		if err := step(ctx, task, do, text, release); err != nil {
			return err
		}
	}
	return nil
}

func step(ctx context.Context, task *asynq.Task, do, text string, release <-chan struct{}) error {
	switch do {
	case "result":
		_, err := task.ResultWriter().Write([]byte(text))
		return err
	case "fail":
		return errors.New(text)
	case "failonce":
		if retried, _ := asynq.GetRetryCount(ctx); retried == 0 {
			return errors.New(text)
		}
		return nil
	case "skip":
		return fmt.Errorf("%s: %w", text, asynq.SkipRetry)
	case "revoke":
		return fmt.Errorf("%s: %w", text, revoked)
	case "postpone":
		return errPostponed
	case "panic":
		panic(text)
	case "block":
		<-ctx.Done()
		return ctx.Err()
	case "hold":
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	default:
		// Any other payload means success
		return nil
	}
}

func millis(n int64) time.Duration {
	return time.Duration(n) * time.Millisecond
}
