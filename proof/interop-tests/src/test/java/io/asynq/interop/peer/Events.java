package io.asynq.interop.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Events that were reported and not taken yet.
 *
 * @param <E> the kind of event
 */
final class Events<E> {

	private static final long SECONDS = 60;

	private final BlockingQueue<E> events = new LinkedBlockingQueue<>();

	void add(E event) {
		this.events.add(event);
	}

	E await() {
		try {
			E event = this.events.poll(SECONDS, TimeUnit.SECONDS);
			if (event == null) {
				throw new AssertionError("Nothing happened within " + SECONDS + " s");
			}
			return event;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for an event", ex);
		}
	}

	List<E> drain() {
		List<E> drained = new ArrayList<>();
		this.events.drainTo(drained);
		return drained;
	}

}
