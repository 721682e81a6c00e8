// Command metricspeer is the Go side of the metrics test: asynq's own collector, x/metrics, on
// a Prometheus registry.
//
// Each line of input is answered with one line: the scrape, as a JSON string.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/hibiken/asynq"
	"github.com/hibiken/asynq/x/metrics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:6379", "the Redis to use")
	flag.Parse()
	inspector := asynq.NewInspector(asynq.RedisClientOpt{Addr: *addr})
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(metrics.NewQueueMetricsCollector(inspector))
	answers := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		text, err := scrape(registry)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		answers.Encode(text)
	}
}

func scrape(registry *prometheus.Registry) (string, error) {
	families, err := registry.Gather()
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&text, family); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}
