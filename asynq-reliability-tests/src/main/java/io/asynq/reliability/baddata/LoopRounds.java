package io.asynq.reliability.baddata;

import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * Tells when recoverer and janitor have looked at every queue: each goes round all of
 * them, so what it takes away from one queue shows that it is on its way.
 */
final class LoopRounds {

	private static final byte[] EXPIRED = RawQueue.utf8("round-expired");

	private static final byte[] ENDED = RawQueue.utf8("round-ended");

	private final RawQueue queue;

	/**
	 * Creates it.
	 * @param queue a queue that both can work on
	 */
	LoopRounds(RawQueue queue) {
		this.queue = queue;
	}

	/**
	 * Waits until both have gone round once.
	 */
	void await() {
		// The round that finds the first may have begun before
		awaitLook();
		awaitLook();
	}

	private void awaitLook() {
		this.queue.task(EXPIRED, null, "completed");
		this.queue.sorted("completed", EXPIRED, Place.PAST);
		this.queue.task(ENDED, null, "archived");
		this.queue.sorted("lease", ENDED, Place.PAST);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> !this.queue.isSorted("completed", EXPIRED) && !this.queue.isSorted("lease", ENDED));
		this.queue.run("DEL", this.queue.taskKey(ENDED));
	}

}
