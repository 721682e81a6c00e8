package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * Extreme numbers in a message, and hash fields that are no numbers or name keys of no
 * task. The task itself is valid.
 */
final class OddNumbers implements Corruption {

	@Override
	public String name() {
		return "odd-numbers";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		StoredMessage message = StoredMessage.of(HANDLED_TYPE, queue.name(), key);
		switch (random.nextInt(7)) {
			case 0 -> message.number(StoredMessage.TIMEOUT, Long.MAX_VALUE);
			case 1 -> message.number(StoredMessage.DEADLINE, Long.MAX_VALUE);
			case 2 -> message.number(StoredMessage.MAX_RETRY, -1).number(StoredMessage.RETRIED, Integer.MIN_VALUE);
			case 3 -> message.number(StoredMessage.RETENTION, Long.MIN_VALUE);
			case 4 -> message.bytes(StoredMessage.UNIQUE_KEY, queue.key("pending"));
			case 5 -> message.number(200, 7).bytes(201, new byte[1000]);
			default ->
				queue.run("HSET", queue.taskKey(key), RawQueue.utf8("pending_since"), RawQueue.utf8("yesterday"));
		}
		queue.task(key, message.toBytes(), "pending");
		queue.listed("pending", key);
		return Planted.of(name(), queue, key, Fate.HANDLED);
	}

}
