package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * A duplicate id, which an interrupted manual repair leaves behind: it must not be
 * handled twice.
 */
final class TwiceListed implements Corruption {

	static final String NAME = "id-listed-twice";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		Place place = random.nextBoolean() ? Place.SCHEDULED : Place.RETRY;
		queue.task(key, StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes(), place.state());
		if (random.nextBoolean()) {
			queue.run("LPUSH", queue.key("pending"), key, key);
		}
		else {
			// Added atomically, so that no server finds one of the two alone
			queue.run("EVAL",
					RawQueue.utf8("for _, set in ipairs(KEYS) do redis.call('ZADD', set, ARGV[1], ARGV[2]) end"),
					RawQueue.utf8("2"), queue.key("scheduled"), queue.key("retry"), RawQueue.utf8(Place.PAST), key);
		}
		return Planted.of(name(), queue, key, Fate.HANDLED);
	}

}
