package io.asynq.reliability.baddata;

import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * Detects when recoverer and janitor have visited every queue: each visits all of them in
 * turn, so an effect in one queue shows its progress.
 */
final class LoopRounds {

	private static final byte[] EXPIRED = RawQueue.utf8("round-expired");

	private static final byte[] ENDED = RawQueue.utf8("round-ended");

	private final RawQueue queue;

	LoopRounds(RawQueue queue) {
		this.queue = queue;
	}

	void await() {
		// The round that finds the first one may have begun before
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
