package io.asynq.interop.peer;

import java.util.List;

/**
 * A running server whose handlers report their attempts.
 */
public interface PeerServer extends AutoCloseable {

	/**
	 * Waits for the next attempt to begin.
	 */
	Attempt awaitStarted();

	/**
	 * Waits for the next handler to return.
	 */
	AttemptEnd awaitEnded();

	/**
	 * Takes all attempts that have begun and were not taken yet, in order.
	 */
	List<Attempt> drainStarted();

	/**
	 * Releases handlers that hold.
	 */
	void release();

	/**
	 * Stops taking tasks.
	 */
	void quiet();

	/**
	 * Shuts down and waits for the end.
	 */
	@Override
	void close();

}
