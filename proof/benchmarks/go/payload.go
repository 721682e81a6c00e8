package main

import (
	"fmt"
	"strconv"
	"strings"
)

const digits = 8

var filling = strings.Repeat("-", 64-digits)

// payloadOf writes a number from 0 to 99,999,999 and padding: 64 characters in all.
func payloadOf(number int) []byte {
	return []byte(strconv.Itoa(100_000_000 + number)[1:] + filling)
}

// numberOf reads the number of a payload.
func numberOf(payload []byte) (int, error) {
	if len(payload) < digits {
		return 0, fmt.Errorf("a payload of %d bytes has no number", len(payload))
	}
	return strconv.Atoi(string(payload[:digits]))
}
