package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * Numbers in a message that are beyond any sense, and fields of a hash that are no
 * numbers or name keys that are none of a task's. The task itself is sound.
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
