package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
)

// listening matches the requests that have Redis send something unasked, not a script that has
// their names among its arguments.
var listening = regexp.MustCompile(`\*\d+\r\n(\$9\r\nSUBSCRIBE|\$6\r\nCLIENT\r\n\$8\r\nTRACKING)\r\n`)

// losses is the shared state of the two toxics of the one proxy of this process.
// Toxiproxy starts the two links of a connection one after the other, upstream first, and
// asks for a state for each: so both get the same connection, provided that the toxics
// exist before the first connection.
var losses struct {
	sync.Mutex
	opened   int         // connections so far
	latest   *connection // the one whose links are being started
	stranded int         // how many of the first connections are stranded
	silenced bool        // of those only the ones that listen
	text     []byte      // the text of requests whose answers are dropped
	times    int         // how many answers are still to be dropped
	lost     int         // how many were dropped
}

// connection is the state of its two links.
type connection struct {
	number  int
	losing  bool
	listens bool // has asked for what Redis sends unasked
}

// question is the toxic of requests: {"text", "times"} drops the next answers to such
// requests, {"strand": true} strands the current connections, {"silence": true} those of them
// that listen.
type question struct{}

func (*question) NewState() interface{} {
	losses.Lock()
	defer losses.Unlock()
	losses.opened++
	losses.latest = &connection{number: losses.opened}
	return losses.latest
}

func (*question) UnmarshalJSON(data []byte) error {
	var told struct {
		Text    string `json:"text"`
		Times   int    `json:"times"`
		Strand  bool   `json:"strand"`
		Silence bool   `json:"silence"`
	}
	if err := json.Unmarshal(data, &told); err != nil {
		return err
	}
	losses.Lock()
	defer losses.Unlock()
	losses.text, losses.times = []byte(told.Text), told.Times
	if told.Strand || told.Silence {
		losses.stranded, losses.silenced = losses.opened, told.Silence
	}
	return nil
}

func (*question) Pipe(stub *toxics.ToxicStub) {
	pipe(stub, func(c *connection, chunk *stream.StreamChunk) bool {
		c.listens = c.listens || listening.Match(chunk.Data)
		if losses.times > 0 && bytes.Contains(chunk.Data, losses.text) {
			losses.times--
			c.losing = true
		}
		return true
	})
}

// answer is the toxic of answers: instead of an answer to be dropped it closes the
// connection. It reports the number of dropped answers as {"lost"}.
type answer struct{}

func (*answer) NewState() interface{} {
	losses.Lock()
	defer losses.Unlock()
	return losses.latest
}

func (*answer) MarshalJSON() ([]byte, error) {
	losses.Lock()
	defer losses.Unlock()
	return json.Marshal(map[string]int{"lost": losses.lost})
}

func (*answer) Pipe(stub *toxics.ToxicStub) {
	pipe(stub, func(c *connection, _ *stream.StreamChunk) bool {
		if c.losing {
			losses.lost++
		}
		return !c.losing
	})
}

// pipe forwards what goes permits, until goes says that the connection is to end.
func pipe(stub *toxics.ToxicStub, goes func(*connection, *stream.StreamChunk) bool) {
	c := stub.State.(*connection)
	for {
		select {
		case <-stub.Interrupt:
			return
		case chunk := <-stub.Input:
			if chunk == nil {
				stub.Close()
				return
			}
			losses.Lock()
			ends := !goes(c, chunk)
			passes := c.number > losses.stranded || (losses.silenced && !c.listens)
			losses.Unlock()
			if ends {
				stub.Close()
				return
			}
			if passes {
				stub.Output <- chunk
			}
		}
	}
}
