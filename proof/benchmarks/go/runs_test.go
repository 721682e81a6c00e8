package main

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestCountsRunsThatAreTooMany(t *testing.T) {
	runs := newRuns(2, 0, false)
	for _, number := range []int{0, 1, 1, 0} {
		if err := runs.run(number); err != nil {
			t.Fatal(err)
		}
	}
	if text := runs.await(time.Second); !strings.HasPrefix(text, "seen=2 doubled=2 failed=0 elapsed_ns=") {
		t.Error(text)
	}
	if runs.run(2) == nil {
		t.Error("a number beyond the backlog is accepted")
	}
}

func TestCountsOnlyTheThirdRunAsTooManyWhenTheFirstFails(t *testing.T) {
	runs := newRuns(1, 0, true)
	if runs.run(0) == nil {
		t.Error("the first run does not fail")
	}
	for range 2 {
		if err := runs.run(0); err != nil {
			t.Error(err)
		}
	}
	if text := runs.await(time.Second); !strings.HasPrefix(text, "seen=1 doubled=1 failed=1 ") {
		t.Error(text)
	}
}

func TestKeepsTheMeasuresOfACompleteBacklogHoweverLateTheyAreAskedFor(t *testing.T) {
	runs := newRuns(1, 0, false)
	if err := runs.run(0); err != nil {
		t.Fatal(err)
	}
	first := runs.await(time.Second)
	for range 20 {
		if later := runs.await(0); later != first {
			t.Fatalf("first %q, then %q", first, later)
		}
	}
}

func TestLogsLiveMemoryAfterCollections(t *testing.T) {
	log := &heapLog{}
	log.start()
	live := make([]byte, 64<<20)
	for end := time.Now().Add(5 * time.Second); log.samples() < 3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("collections are not noticed")
		}
		runtime.GC()
	}
	runtime.KeepAlive(live)
	answer, err := parseSettings(log.stop())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"heap_first_bytes", "heap_last_bytes", "heap_max_bytes"} {
		if bytes, err := answer.number(name); err != nil || bytes < len(live) {
			t.Errorf("%s is %d, %v", name, bytes, err)
		}
	}
}

func (l *heapLog) samples() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.live)
}
