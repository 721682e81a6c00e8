package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// enqueue splits the tasks among several goroutines.
func enqueue(s settings) (string, error) {
	tasks, err := s.number("tasks")
	if err != nil {
		return "", err
	}
	first, firstErr := s.numberOr("first", 0)
	threads, threadsErr := s.numberOr("threads", 1)
	batch, batchErr := s.numberOr("batch", 64)
	if err := errors.Join(firstErr, threadsErr, batchErr); err != nil {
		return "", err
	}
	if s["mode"] != "batch" {
		batch = 1
	}
	if threads < 1 || batch < 1 {
		return "", fmt.Errorf("threads and batch must be from 1 on, but are %d and %d", threads, batch)
	}
	producer, err := openProducer(s)
	if err != nil {
		return "", err
	}
	defer producer.close()
	return timed(threads, func(thread int) error {
		from, to := tasks*thread/threads, tasks*(thread+1)/threads
		return enqueueRange(producer, first+from, first+to, batch)
	})
}

// pace enqueues one after the other, with a gap before each.
func pace(s settings) (string, error) {
	tasks, tasksErr := s.number("tasks")
	first, firstErr := s.numberOr("first", 0)
	gapMicros, gapErr := s.number("gap_micros")
	if err := errors.Join(tasksErr, firstErr, gapErr); err != nil {
		return "", err
	}
	producer, err := openProducer(s)
	if err != nil {
		return "", err
	}
	defer producer.close()
	var sent strings.Builder
	sent.WriteString("sent=")
	for i := range tasks {
		time.Sleep(time.Duration(gapMicros) * time.Microsecond)
		now := time.Now().UnixMicro()
		if err := producer.enqueue([][]byte{payloadOf(first + i)}); err != nil {
			return "", err
		}
		writeMoment(&sent, i, first+i, now)
	}
	return sent.String(), nil
}

func enqueueRange(producer producer, from, to, batch int) error {
	payloads := make([][]byte, 0, batch)
	for i := from; i < to; i += batch {
		payloads = payloads[:0]
		for number := i; number < min(i+batch, to); number++ {
			payloads = append(payloads, payloadOf(number))
		}
		if err := producer.enqueue(payloads); err != nil {
			return err
		}
	}
	return nil
}

func timed(threads int, part func(thread int) error) (string, error) {
	failures := make([]error, threads)
	var group sync.WaitGroup
	cpu, start := cpuNanos(), time.Now()
	for thread := range threads {
		group.Go(func() { failures[thread] = part(thread) })
	}
	group.Wait()
	elapsed, cpu := time.Since(start).Nanoseconds(), cpuNanos()-cpu
	return fmt.Sprintf("elapsed_ns=%d cpu_ns=%d", elapsed, cpu), errors.Join(failures...)
}
