package io.asynq.reliability.baddata;

import java.util.Random;

/** A key of a task that is no hash. */
final class WrongTaskType implements Corruption {

	@Override
	public String name() {
		return "task-of-wrong-type";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		WrongType type = WrongType.otherThan("hash", random);
		type.write(queue, queue.taskKey(key));
		int place = random.nextInt(Place.values().length + 2);
		if (place < Place.values().length) {
			Place.values()[place].put(queue, key);
		}
		else if (place == Place.values().length) {
			queue.sorted("completed", key, Place.PAST);
		}
		else {
			queue.listed("active", key);
		}
		return Planted.of(name(), queue, key, Fate.REMOVED_WRONG_TYPE);
	}

}
