package main

import (
	"encoding/json"
	"flag"
	"os"

	"github.com/hibiken/asynq"
)

// queueView is a queue as the Inspector shows it.
type queueView struct {
	Queue       string `json:"queue"`
	Size        int    `json:"size"`
	Pending     int    `json:"pending"`
	Active      int    `json:"active"`
	Scheduled   int    `json:"scheduled"`
	Retry       int    `json:"retry"`
	Archived    int    `json:"archived"`
	Completed   int    `json:"completed"`
	Aggregating int    `json:"aggregating"`
	Processed   int    `json:"processed"`
	Failed      int    `json:"failed"`
	Servers     int    `json:"servers"`
}

func inspect(args []string) error {
	flags := flag.NewFlagSet("inspect", flag.ExitOnError)
	redis := flags.String("redis", "", "address of Redis")
	_ = flags.Parse(args)
	inspector := asynq.NewInspector(asynq.RedisClientOpt{Addr: *redis})
	defer inspector.Close()
	queues, err := inspector.Queues()
	if err != nil {
		return err
	}
	servers, err := inspector.Servers()
	if err != nil {
		return err
	}
	views := []queueView{}
	for _, queue := range queues {
		info, err := inspector.GetQueueInfo(queue)
		if err != nil {
			return err
		}
		views = append(views, queueView{queue, info.Size, info.Pending, info.Active, info.Scheduled, info.Retry,
			info.Archived, info.Completed, info.Aggregating, info.ProcessedTotal, info.FailedTotal, len(servers)})
	}
	return json.NewEncoder(os.Stdout).Encode(views)
}
