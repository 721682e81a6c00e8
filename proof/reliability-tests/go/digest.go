package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
)

// digest is the task that a group becomes; Java's is Digest.
type digest struct {
	Members []string `json:"members"`
	Millis  int      `json:"millis"`
}

// digester aggregates many tasks into one that names them, and takes a while, so that
// harm can come in between.
type digester struct {
	ledger *ledger
	worker string
	made   atomic.Int64
}

func (d *digester) Aggregate(group string, tasks []*asynq.Task) *asynq.Task {
	queue, _, _ := strings.Cut(group, "-") // an aggregator is not told the queue
	made := digest{Millis: min(2000, 20*len(tasks))}
	for _, t := range tasks {
		made.Members = append(made.Members, t.Headers()["member-id"])
	}
	id := fmt.Sprintf("%s-digest-%d", d.worker, d.made.Add(1))
	d.ledger.aggregated(queue, id, made.Members)
	time.Sleep(100 * time.Millisecond)
	payload, _ := json.Marshal(made)
	return asynq.NewTask("digest", payload, asynq.TaskID(id))
}

func runDigest(ctx context.Context, t *asynq.Task, ledger *ledger) error {
	var given digest
	if err := json.Unmarshal(t.Payload(), &given); err != nil {
		return err
	}
	id, _ := asynq.GetTaskID(ctx)
	queue, _ := asynq.GetQueueName(ctx)
	ledger.given(queue, id, given.Members)
	return run(ctx, t, ledger)
}
