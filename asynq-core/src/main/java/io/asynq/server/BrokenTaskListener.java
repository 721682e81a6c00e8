package io.asynq.server;

/**
 * Receives broken tasks, from one thread at a time. Exceptions are logged. The thread
 * that found the task waits up to a second for the listener. While the listener hangs, up
 * to 1,000 calls wait; more are dropped.
 */
@FunctionalInterface
public interface BrokenTaskListener {

	/** Called in the server that has found it, after it was dealt with. */
	void onBrokenTask(BrokenTask task);

}
