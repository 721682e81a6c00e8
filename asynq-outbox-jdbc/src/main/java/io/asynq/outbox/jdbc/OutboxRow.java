package io.asynq.outbox.jdbc;

import io.asynq.internal.enqueue.OutboxTask;

/**
 * @param id by which rows of one transaction are ordered
 * @param transactionId a random text for each transaction
 * @param createdAt milliseconds since the epoch
 * @param setAside whether it could not be sent before
 */
record OutboxRow(long id, String transactionId, long createdAt, boolean setAside, OutboxTask task) {

	/**
	 * Random, because databases and tables that share a Redis do not know each other's
	 * ids.
	 */
	static String mark(String transactionId, int ordinal) {
		return transactionId + "." + Integer.toString(ordinal, Character.MAX_RADIX);
	}

}
