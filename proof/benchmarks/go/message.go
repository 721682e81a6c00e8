package main

import "google.golang.org/protobuf/encoding/protowire"

// The defaults of asynq's client.
const (
	defaultRetry   = 25
	defaultTimeout = 30 * 60
)

// taskMessage has the fields of asynq's protobuf message of that name that a plain task
// needs. asynq does not export its own type.
type taskMessage struct {
	taskType string
	payload  []byte
	id       string
	queue    string
	retry    uint64 // how many at most
	timeout  uint64 // seconds
}

func (m *taskMessage) encode() []byte {
	b := make([]byte, 0, 2*6+len(m.taskType)+len(m.payload)+len(m.id)+len(m.queue)+8)
	b = protowire.AppendTag(b, 1, protowire.BytesType)
	b = protowire.AppendString(b, m.taskType)
	b = protowire.AppendTag(b, 2, protowire.BytesType)
	b = protowire.AppendBytes(b, m.payload)
	b = protowire.AppendTag(b, 3, protowire.BytesType)
	b = protowire.AppendString(b, m.id)
	b = protowire.AppendTag(b, 4, protowire.BytesType)
	b = protowire.AppendString(b, m.queue)
	b = protowire.AppendTag(b, 5, protowire.VarintType)
	b = protowire.AppendVarint(b, m.retry)
	b = protowire.AppendTag(b, 8, protowire.VarintType)
	return protowire.AppendVarint(b, m.timeout)
}
