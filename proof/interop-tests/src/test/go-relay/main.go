// Command relay is the Go part of a trace through both languages: a real asynq server whose
// handler enqueues another task, with OpenTelemetry's own tracer and propagators.
//
// Each span that has ended is a line of output, a JSON object. The program ends with its
// standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/hibiken/asynq"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:6379", "the Redis to use")
	from := flag.String("from", "", "the queue to work on")
	next := flag.String("next", "", "the type of the tasks to enqueue, in the default queue")
	flag.Parse()
	redis := asynq.RedisClientOpt{Addr: *addr}
	client := asynq.NewClient(redis)
	tracer := sdk.NewTracerProvider(sdk.WithSyncer(printer{json.NewEncoder(os.Stdout)})).Tracer("relay")
	headers := propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	server := asynq.NewServer(redis, asynq.Config{
		Concurrency: 1, Queues: map[string]int{*from: 1}, LogLevel: asynq.FatalLevel})
	err := server.Start(asynq.HandlerFunc(func(ctx context.Context, task *asynq.Task) error {
		ctx = headers.Extract(ctx, propagation.MapCarrier(task.Headers()))
		ctx, span := tracer.Start(ctx, "relay "+task.Type(), trace.WithSpanKind(trace.SpanKindConsumer))
		defer span.End()
		sent := map[string]string{}
		headers.Inject(ctx, propagation.MapCarrier(sent))
		_, err := client.EnqueueContext(ctx, asynq.NewTaskWithHeaders(*next, task.Payload(), sent))
		return err
	}))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
	}
	server.Shutdown()
}

// printer exports spans as lines.
type printer struct {
	out *json.Encoder
}

func (p printer) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	for _, span := range spans {
		if err := p.out.Encode(map[string]string{
			"name":   span.Name(),
			"trace":  span.SpanContext().TraceID().String(),
			"span":   span.SpanContext().SpanID().String(),
			"parent": span.Parent().SpanID().String(),
		}); err != nil {
			return err
		}
	}
	return nil
}

func (p printer) Shutdown(context.Context) error {
	return nil
}
