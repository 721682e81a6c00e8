package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
)

// order has what payloads of Go programs have: names of their own, fields that are left out
// while they are zero, times, durations, bytes, maps, slices and pointers.
type order struct {
	ID       string            `json:"id"`
	Cents    int64             `json:"cents,omitempty"`
	Express  bool              `json:"express,omitempty"`
	Weight   float64           `json:"weight,omitempty"`
	Note     string            `json:"note,omitempty"`
	Placed   time.Time         `json:"placed"`
	Patience time.Duration     `json:"patience"`
	Photo    []byte            `json:"photo"`
	Labels   map[string]string `json:"labels"`
	Lines    []line            `json:"lines"`
	Parent   *order            `json:"parent"`
}

type line struct {
	Item     string `json:"item"`
	Quantity int    `json:"quantity,omitempty"`
}

// untagged has no names of its own, so JSON has those of the fields.
type untagged struct {
	UserID int
	Pause  time.Duration
}

type payloadArgs struct {
	Form     string `json:"form"`
	UniqueMs int64  `json:"uniqueMs"`
}

type readPayloadArgs struct {
	Form  string `json:"form"`
	Queue string `json:"queue"`
	ID    string `json:"id"`
}

// payloads is one value of each form.
func payloads() map[string]any {
	return map[string]any{
		"full": order{
			ID: "o-1", Cents: 9_007_199_254_740_993, Express: true, Weight: 2.5, Note: "grün ☕",
			Placed:   time.Date(2026, 1, 2, 3, 4, 5, 6_000, time.FixedZone("", 2*60*60)),
			Patience: 90 * time.Second, Photo: []byte{0, 255, 62},
			Labels: map[string]string{"b": "2", "a": "1"},
			Lines:  []line{{Item: "book", Quantity: 2}, {Item: "pen", Quantity: 1}},
		},
		"escaped":  order{ID: "o-4", Weight: 2, Note: "<a> & b"},
		"zero":     order{ID: "o-2", Parent: &order{ID: "o-1"}, Lines: []line{{Item: "book"}}},
		"untagged": untagged{UserID: 7, Pause: 90 * time.Second},
	}
}

func payloadCommands(redis asynq.RedisConnOpt) commands {
	client := asynq.NewClient(redis)
	inspector := asynq.NewInspector(redis)
	return commands{
		"payload.enqueue": typed(func(args payloadArgs) (any, error) {
			payload, err := json.Marshal(payloads()[args.Form])
			if err != nil {
				return nil, err
			}
			var options []asynq.Option
			if args.UniqueMs > 0 {
				options = append(options, asynq.Unique(millis(args.UniqueMs)))
			}
			info, err := client.Enqueue(asynq.NewTask("order", payload), options...)
			if err != nil {
				return nil, err
			}
			return viewOfTask(info), nil
		}),
		// Reads the payload of a task into a struct, and writes that again.
		"payload.read": typed(func(args readPayloadArgs) (any, error) {
			info, err := inspector.GetTaskInfo(args.Queue, args.ID)
			if err != nil {
				return nil, err
			}
			return reread(args.Form, info.Payload)
		}),
	}
}

func reread(form string, payload []byte) (any, error) {
	// A field that the struct lacks is an error here: it would be lost
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.DisallowUnknownFields()
	switch form {
	case "order":
		var value order
		err := decoder.Decode(&value)
		return value, err
	case "untagged":
		var value untagged
		err := decoder.Decode(&value)
		return value, err
	default:
		return nil, fmt.Errorf("unknown form %q", form)
	}
}
