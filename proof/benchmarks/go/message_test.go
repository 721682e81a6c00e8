package main

import (
	"encoding/hex"
	"testing"
)

func TestEncodesAsAsynqDoes(t *testing.T) {
	message := taskMessage{
		taskType: "email:send",
		payload:  []byte(`{"user_id":42}`),
		id:       "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
		queue:    "default",
		retry:    25,
		timeout:  1800,
	}
	want := "0a0a656d61696c3a73656e64120e7b22757365725f6964223a34327d1a2436626137623831302d396461642d313164312d" +
		"383062342d303063303466643433306338220764656661756c74281940880e"
	if got := hex.EncodeToString(message.encode()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestReadsTheNumberThatItWroteIntoAPayload(t *testing.T) {
	payload := payloadOf(42)
	if len(payload) != 64 || string(payload[:9]) != "00000042-" {
		t.Errorf("the payload is %q", payload)
	}
	if number, err := numberOf(payload); number != 42 || err != nil {
		t.Errorf("the number is %d, %v", number, err)
	}
	if _, err := numberOf([]byte("short")); err == nil {
		t.Error("a payload without a number is accepted")
	}
}
