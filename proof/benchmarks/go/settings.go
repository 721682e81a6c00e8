package main

import (
	"fmt"
	"strconv"
	"strings"
)

// settings are the name=value pairs of a line.
type settings map[string]string

func parseSettings(text string) (settings, error) {
	s := settings{}
	for word := range strings.FieldsSeq(text) {
		name, value, found := strings.Cut(word, "=")
		if !found {
			return nil, fmt.Errorf("not name=value: %q", word)
		}
		s[name] = value
	}
	return s, nil
}

func (s settings) text(name string) (string, error) {
	value, found := s[name]
	if !found {
		return "", fmt.Errorf("missing: %s", name)
	}
	return value, nil
}

func (s settings) textOr(name, fallback string) string {
	if value, found := s[name]; found {
		return value
	}
	return fallback
}

func (s settings) number(name string) (int, error) {
	value, err := s.text(name)
	if err != nil {
		return 0, err
	}
	number, err := strconv.Atoi(value)
	if err != nil || number < 0 {
		return 0, fmt.Errorf("%s must be a number from 0 on, but is %q", name, value)
	}
	return number, nil
}

func (s settings) numberOr(name string, fallback int) (int, error) {
	if _, found := s[name]; !found {
		return fallback, nil
	}
	return s.number(name)
}

func (s settings) flag(name string) bool {
	return s[name] == "true"
}

// queues returns the weight of each queue, and the name of the first.
func (s settings) queues() (weights map[string]int, first string, err error) {
	text, err := s.text("queues")
	if err != nil {
		return nil, "", err
	}
	weights = map[string]int{}
	for pair := range strings.SplitSeq(text, ",") {
		name, digits, found := strings.Cut(pair, ":")
		weight := 1
		if found {
			if weight, err = strconv.Atoi(digits); err != nil {
				return nil, "", fmt.Errorf("the weight of queue %q must be a number, but is %q", name, digits)
			}
		}
		if first == "" {
			first = name
		}
		weights[name] = weight
	}
	return weights, first, nil
}
