package io.asynq.reliability.check;

/** What an inspector says of a queue. Names are those of the Go program's JSON. */
record QueueNumbers(String queue, long size, long pending, long active, long scheduled, long retry, long archived,
		long completed, long aggregating, long processed, long failed) {

}
