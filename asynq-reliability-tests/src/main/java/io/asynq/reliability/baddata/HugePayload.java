package io.asynq.reliability.baddata;

import java.util.Random;

/** A task with a payload of 64 MiB, which Go accepts. */
final class HugePayload implements Corruption {

	private static final int SIZE = 64 * 1024 * 1024;

	@Override
	public String name() {
		return "huge-payload";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		queue.task(key,
				StoredMessage.of(HANDLED_TYPE, queue.name(), key)
					.bytes(StoredMessage.PAYLOAD, new byte[SIZE])
					.toBytes(),
				"pending");
		queue.listed("pending", key);
		return Planted.of(name(), queue, key, Fate.HANDLED);
	}

	@Override
	public int most(int corruptions) {
		return 1 + corruptions / 2000;
	}

}
