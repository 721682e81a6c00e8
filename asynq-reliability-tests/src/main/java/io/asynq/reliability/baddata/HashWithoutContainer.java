package io.asynq.reliability.baddata;

import java.util.List;
import java.util.Random;

/**
 * A task in no container. No loop visits all tasks, so it stays until the queue is
 * diagnosed; a server must neither touch it nor fail because of it.
 */
final class HashWithoutContainer implements Corruption {

	private static final List<String> STATES = List.of("pending", "active", "scheduled", "retry", "archived",
			"completed", "aggregating", "no such state");

	@Override
	public String name() {
		return "hash-without-container";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		byte[] message = StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes();
		queue.task(key, message, STATES.get(random.nextInt(STATES.size())));
		return Planted.of(name(), queue, key, Fate.LEFT).message(message);
	}

}
