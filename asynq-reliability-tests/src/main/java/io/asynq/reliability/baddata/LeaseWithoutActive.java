package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * An expired lease of a task that is not active: archived long ago, or in no container
 * although its state is active, or gone.
 */
final class LeaseWithoutActive implements Corruption {

	@Override
	public String name() {
		return "lease-without-active";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		byte[] message = StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes();
		switch (random.nextInt(3)) {
			case 0 -> {
				queue.task(key, message, "archived");
				queue.sorted("archived", key, String.valueOf(Long.parseLong(Place.PAST) + 200_000_000L));
				queue.sorted("lease", key, Place.PAST);
				return Planted.of(name(), queue, key, Fate.LEASE_DROPPED).message(message).staysIn("archived");
			}
			case 1 -> {
				queue.task(key, message, "active");
				queue.sorted("lease", key, Place.PAST);
				return Planted.of(name(), queue, key, Fate.ARCHIVED_AS_LOST);
			}
			default -> {
				queue.sorted("lease", key, Place.PAST);
				return Planted.of(name(), queue, key, Fate.REMOVED);
			}
		}
	}

}
