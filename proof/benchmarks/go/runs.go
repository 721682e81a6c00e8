package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

var errFirstAttempt = errors.New("the first attempt fails")

// runs counts every run of every task of a backlog. It is safe for concurrent use.
type runs struct {
	counts    []atomic.Int32
	started   []atomic.Int64
	missing   atomic.Int64
	doubled   atomic.Int64
	failures  atomic.Int64
	complete  chan struct{}
	work      time.Duration
	failFirst bool
	meter     meter
}

// newRuns expects the numbers 0 to tasks − 1. Each run takes as long as work says; with
// failFirst the first run of each task fails, and the second is the one that counts.
func newRuns(tasks int, work time.Duration, failFirst bool) *runs {
	r := &runs{
		counts:    make([]atomic.Int32, tasks),
		started:   make([]atomic.Int64, tasks),
		complete:  make(chan struct{}),
		work:      work,
		failFirst: failFirst,
	}
	r.missing.Store(int64(tasks))
	return r
}

// run is the handler of a task.
func (r *runs) run(number int) error {
	if number < 0 || number >= len(r.counts) {
		return fmt.Errorf("task %d is none of the %d that are expected", number, len(r.counts))
	}
	r.meter.start()
	r.started[number].Store(time.Now().UnixMicro())
	if r.work > 0 {
		time.Sleep(r.work)
	}
	run, counted := r.counts[number].Add(1), int32(1)
	if r.failFirst {
		if run == 1 {
			r.failures.Add(1)
			return errFirstAttempt
		}
		counted = 2
	}
	if run > counted {
		r.doubled.Add(1)
	} else if r.missing.Add(-1) == 0 {
		r.meter.end()
		close(r.complete)
	}
	return nil
}

// await waits until every task has been run to its end, or the time is up.
func (r *runs) await(timeout time.Duration) string {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-r.complete:
	case <-timer.C:
		select {
		case <-r.complete:
			// Both are ready and select chose at random: the measures have been taken
		default:
			r.meter.end()
		}
	}
	return fmt.Sprintf("seen=%d doubled=%d failed=%d %s", int64(len(r.counts))-r.missing.Load(), r.doubled.Load(),
		r.failures.Load(), r.meter.fields())
}

// starts returns when each task was started last, in microseconds since the epoch.
func (r *runs) starts() string {
	var text strings.Builder
	text.WriteString("starts=")
	for i := range r.started {
		writeMoment(&text, i, i, r.started[i].Load())
	}
	return text.String()
}

// writeMoment adds an element to a list of number:moment.
func writeMoment(text *strings.Builder, index, number int, micros int64) {
	if index > 0 {
		text.WriteByte(',')
	}
	text.WriteString(strconv.Itoa(number))
	text.WriteByte(':')
	text.WriteString(strconv.FormatInt(micros, 10))
}
