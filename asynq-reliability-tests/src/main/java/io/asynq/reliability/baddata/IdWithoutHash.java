package io.asynq.reliability.baddata;

import java.util.Random;

/** An id in a container without a task. */
final class IdWithoutHash implements Corruption {

	@Override
	public String name() {
		return "id-without-hash";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		int place = random.nextInt(Place.values().length + 1);
		if (place < Place.values().length) {
			Place.values()[place].put(queue, key);
		}
		else {
			queue.sorted("completed", key, Place.PAST);
		}
		return Planted.of(name(), queue, key, Fate.REMOVED);
	}

}
