package main

import (
	"context"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// startRedis starts a Redis for one test, and returns its address and a client.
func startRedis(t *testing.T) (string, *redis.Client) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not on the PATH; this test needs it")
	}
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	server := exec.Command(program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: address})
	t.Cleanup(func() {
		client.Close()
		server.Process.Kill()
		server.Wait()
	})
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := client.Ping(context.Background()).Err()
		if err == nil {
			return address, client
		}
		if time.Now().After(end) {
			t.Fatalf("redis-server does not answer at %s: %v", address, err)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
