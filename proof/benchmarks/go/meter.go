package main

import (
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// meter measures what this process used between the first start of a handler and the end
// of the last. It is safe for concurrent use.
type meter struct {
	begin sync.Once
	heap  heapLog

	mu        sync.Mutex
	started   time.Time
	cpu       int64
	allocated uint64
	report    string
}

// start begins at the first call. Concurrent calls wait until the first is done.
func (m *meter) start() {
	m.begin.Do(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.heap.start()
		m.cpu = cpuNanos()
		m.allocated = allocatedBytes()
		m.started = time.Now()
	})
}

// end takes the measures; the last call counts.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var elapsed, cpu int64
	var allocated uint64
	if !m.started.IsZero() {
		elapsed = time.Since(m.started).Nanoseconds()
		cpu = cpuNanos() - m.cpu
		allocated = allocatedBytes() - m.allocated
	}
	m.report = fmt.Sprintf("elapsed_ns=%d cpu_ns=%d alloc_bytes=%d %s", elapsed, cpu, allocated, m.heap.stop())
}

func (m *meter) fields() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.report
}

// cpuNanos is the CPU time of this process so far, in user mode and in the kernel.
func cpuNanos() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func allocatedBytes() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
