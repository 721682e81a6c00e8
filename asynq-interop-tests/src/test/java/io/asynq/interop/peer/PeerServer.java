package io.asynq.interop.peer;

import java.util.List;

/**
 * A running server whose handlers tell of their attempts.
 */
public interface PeerServer extends AutoCloseable {

	/**
	 * Waits for the next attempt to begin.
	 * @return the attempt
	 */
	Attempt awaitStarted();

	/**
	 * Waits for the next handler to come back.
	 * @return how it did
	 */
	AttemptEnd awaitEnded();

	/**
	 * Takes all attempts that began and have not been asked for yet.
	 * @return the attempts so far, in order
	 */
	List<Attempt> drainStarted();

	/**
	 * Lets the handlers that hold go on.
	 */
	void release();

	/**
	 * Takes no more tasks.
	 */
	void quiet();

	/**
	 * Shuts down and waits for that.
	 */
	@Override
	void close();

}
