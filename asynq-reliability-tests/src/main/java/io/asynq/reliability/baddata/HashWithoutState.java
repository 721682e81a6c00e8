package io.asynq.reliability.baddata;

import java.util.Random;

/** A task without a state. */
final class HashWithoutState implements Corruption {

	@Override
	public String name() {
		return "hash-without-state";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		queue.task(key, StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes(), null);
		int place = random.nextInt(Place.values().length + 1);
		if (place == Place.values().length) {
			queue.sorted("completed", key, Place.PAST);
			return Planted.of(name(), queue, key, Fate.DELETED);
		}
		Place.values()[place].put(queue, key);
		return Planted.of(name(), queue, key,
				(Place.values()[place] == Place.LOST) ? Fate.ARCHIVED_AS_LOST : Fate.HANDLED);
	}

}
