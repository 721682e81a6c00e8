package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
)

const liveBytes = "/gc/heap/live:bytes"

// heapLog records how much of the heap was live after garbage collections. It needs no
// timer: an unreferenced object is cleaned up after each collection. A collection that
// follows another too soon may be missed.
type heapLog struct {
	mu      sync.Mutex
	running bool
	live    []uint64
}

func (l *heapLog) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = true
	l.arm()
}

// stop ends the log and returns the fields of the answer.
func (l *heapLog) stop() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = false
	third := (len(l.live) + 2) / 3
	return fmt.Sprintf("heap_first_bytes=%d heap_last_bytes=%d heap_max_bytes=%d", most(l.live[:third]),
		most(l.live[len(l.live)-third:]), most(l.live))
}

func (l *heapLog) arm() {
	// Smaller objects share a block with others, which may keep them alive
	sentinel := new([4]uint64)
	runtime.AddCleanup(sentinel, (*heapLog).collected, l)
}

func (l *heapLog) collected() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running {
		sample := []metrics.Sample{{Name: liveBytes}}
		metrics.Read(sample)
		l.live = append(l.live, sample[0].Value.Uint64())
		l.arm()
	}
}

func most(values []uint64) uint64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}
