package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

func TestServesWhatEachModeEnqueues(t *testing.T) {
	address, client := startRedis(t)
	for _, mode := range []string{"single", "batch", "unique", "scheduled"} {
		t.Run(mode, func(t *testing.T) {
			client.FlushAll(context.Background())
			peer := newPeer()
			defer peer.worker.stop()
			call(t, peer, "enqueue redis=%s queues=q tasks=1001 mode=%s threads=3 batch=64", address, mode)
			container := "pending"
			if mode == "scheduled" {
				container = "scheduled"
			}
			wantIDs(t, client, container, 1001)
			if mode == "scheduled" {
				runScheduled(t, address)
			}
			call(t, peer, "serve redis=%s queues=q concurrency=10 tasks=1001 variant=tuned", address)
			answer := call(t, peer, "await tasks=1001 timeout_ms=20000")
			want(t, answer, "seen", "1001")
			want(t, answer, "failed", "0")
			wantPositive(t, answer, "elapsed_ns", "cpu_ns", "alloc_bytes")
			answer = call(t, peer, "stop")
			want(t, answer, "doubled", "0")
			wantPositive(t, answer, "drain_ns")
			wantIDs(t, client, "pending", 0)
			wantIDs(t, client, "active", 0)
			if processed := client.Get(context.Background(), "asynq:{q}:processed").Val(); processed != "1001" {
				t.Errorf("asynq counts %s processed", processed)
			}
		})
	}
}

func TestStoresTheSameByItselfAndInAPipeline(t *testing.T) {
	address, client := startRedis(t)
	peer := newPeer()
	call(t, peer, "enqueue redis=%s queues=one tasks=1 first=7 mode=single", address)
	call(t, peer, "enqueue redis=%s queues=many tasks=1 first=7 mode=batch", address)
	inspector := asynq.NewInspector(asynq.RedisClientOpt{Addr: address})
	defer inspector.Close()
	var views []string
	for _, queue := range []string{"one", "many"} {
		tasks, err := inspector.ListPendingTasks(queue)
		if err != nil || len(tasks) != 1 {
			t.Fatalf("queue %s has %v, %v", queue, tasks, err)
		}
		task := *tasks[0]
		if fields := client.HLen(context.Background(), "asynq:{"+queue+"}:t:"+task.ID).Val(); fields != 3 {
			t.Errorf("the task in queue %s has %d fields instead of 3", queue, fields)
		}
		task.ID, task.Queue, task.NextProcessAt = "", "", task.Deadline
		views = append(views, fmt.Sprintf("%+v", task))
	}
	if views[0] != views[1] {
		t.Errorf("asynq reads\n%s\nand\n%s", views[0], views[1])
	}
}

func TestRefusesTheSameUniqueTaskTwice(t *testing.T) {
	address, client := startRedis(t)
	peer := newPeer()
	call(t, peer, "enqueue redis=%s queues=q tasks=1 mode=unique", address)
	if answer := peer.answer("enqueue redis=" + address + " queues=q tasks=1 mode=unique"); !strings.HasPrefix(answer, "error ") {
		t.Errorf("the answer is %q", answer)
	}
	wantIDs(t, client, "pending", 1)
}

func TestCountsTheSecondAttemptWhenTheFirstHasToFail(t *testing.T) {
	address, client := startRedis(t)
	peer := newPeer()
	defer peer.worker.stop()
	call(t, peer, "serve redis=%s queues=q concurrency=4 tasks=5 variant=tuned fail_first=true", address)
	call(t, peer, "enqueue redis=%s queues=q tasks=5", address)
	answer := call(t, peer, "await tasks=5 timeout_ms=40000")
	want(t, answer, "seen", "5")
	want(t, answer, "failed", "5")
	want(t, call(t, peer, "stop"), "doubled", "0")
	if failed := client.Get(context.Background(), "asynq:{q}:failed").Val(); failed != "5" {
		t.Errorf("asynq counts %s failed", failed)
	}
}

func TestTellsMomentsAndForgetsThemForTheNextBacklog(t *testing.T) {
	address, _ := startRedis(t)
	peer := newPeer()
	defer peer.worker.stop()
	call(t, peer, "serve redis=%s queues=q:2,r concurrency=2 tasks=9 variant=tuned work_micros=3000", address)
	for range 2 {
		call(t, peer, "again tasks=3")
		sent := moments(t, call(t, peer, "pace redis=%s queues=q tasks=3 gap_micros=1000", address)["sent"])
		want(t, call(t, peer, "await tasks=3 timeout_ms=10000"), "seen", "3")
		started := moments(t, call(t, peer, "starts")["starts"])
		for number := range 3 {
			if sent[number] == 0 || started[number] < sent[number] {
				t.Errorf("task %d was sent at %d, and started at %d", number, sent[number], started[number])
			}
		}
	}
}

func TestSaysWhatItHasSeenWhenTimeIsUp(t *testing.T) {
	peer := newPeer()
	call(t, peer, "again tasks=2")
	answer := call(t, peer, "await tasks=2 timeout_ms=1")
	want(t, answer, "seen", "0")
	want(t, answer, "elapsed_ns", "0")
}

func TestObeysUntilTheInputEnds(t *testing.T) {
	var out strings.Builder
	if err := obeyAll(strings.NewReader("cpu\ndance\nserve tasks\nversion"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, start := range []string{"ok cpu_ns=", "error unknown verb", "error not name=value", "ok version=asynq-v"} {
		if len(lines) != 4 || !strings.HasPrefix(lines[i], start) {
			t.Errorf("answer %d of %q does not start with %q", i, lines, start)
		}
	}
}

func call(t *testing.T, peer *peer, format string, arguments ...any) settings {
	t.Helper()
	line := fmt.Sprintf(format, arguments...)
	fields, ok := strings.CutPrefix(peer.answer(line), "ok")
	if !ok {
		t.Fatalf("%s: %s", line, fields)
	}
	answer, err := parseSettings(fields)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return answer
}

func want(t *testing.T, answer settings, name, value string) {
	t.Helper()
	if answer[name] != value {
		t.Errorf("%s is %q instead of %q in %v", name, answer[name], value, answer)
	}
}

func wantPositive(t *testing.T, answer settings, names ...string) {
	t.Helper()
	for _, name := range names {
		if number, err := answer.number(name); err != nil || number == 0 {
			t.Errorf("%s is %q in %v", name, answer[name], answer)
		}
	}
}

// wantIDs checks how many tasks are in a list or a sorted set of queue q.
func wantIDs(t *testing.T, client *redis.Client, container string, tasks int64) {
	t.Helper()
	key := "asynq:{q}:" + container
	count := client.LLen(context.Background(), key).Val()
	if container == "scheduled" {
		count = client.ZCard(context.Background(), key).Val()
	}
	if count != tasks {
		t.Errorf("%s has %d tasks instead of %d", container, count, tasks)
	}
}

func runScheduled(t *testing.T, address string) {
	t.Helper()
	inspector := asynq.NewInspector(asynq.RedisClientOpt{Addr: address})
	defer inspector.Close()
	if _, err := inspector.RunAllScheduledTasks("q"); err != nil {
		t.Fatal(err)
	}
}

func moments(t *testing.T, text string) map[int]int64 {
	t.Helper()
	moments := map[int]int64{}
	for pair := range strings.SplitSeq(text, ",") {
		number, moment, _ := strings.Cut(pair, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%q is no list of moments", text)
		}
		if moments[n], err = strconv.ParseInt(moment, 10, 64); err != nil {
			t.Fatalf("%q is no list of moments", text)
		}
	}
	return moments
}
