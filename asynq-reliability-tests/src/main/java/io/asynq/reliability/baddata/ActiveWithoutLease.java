package io.asynq.reliability.baddata;

import java.util.Random;

/** An active task without a lease, which no scan of leases finds. */
final class ActiveWithoutLease implements Corruption {

	@Override
	public String name() {
		return "active-without-lease";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		int kind = random.nextInt(3);
		if (kind == 0) {
			queue.listed("active", key);
			return Planted.of(name(), queue, key, Fate.REMOVED);
		}
		byte[] message = (kind == 1) ? StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes()
				: new byte[] { 0x0F };
		queue.task(key, message, "active");
		queue.listed("active", key);
		return Planted.of(name(), queue, key, (kind == 1) ? Fate.ARCHIVED_AS_LOST : Fate.ARCHIVED_AS_IT_IS)
			.message(message);
	}

}
