package io.asynq.reliability.check;

/**
 * What an inspector says of a queue. Names are those of the Go program's JSON.
 *
 * @param queue the queue
 * @param size number of tasks
 * @param pending pending ones
 * @param active active ones
 * @param scheduled scheduled ones
 * @param retry ones to be retried
 * @param archived archived ones
 * @param completed completed ones
 * @param aggregating ones in groups
 * @param processed attempts ever
 * @param failed failures ever
 */
record QueueNumbers(String queue, long size, long pending, long active, long scheduled, long retry, long archived,
		long completed, long aggregating, long processed, long failed) {

}
