package io.asynq.reliability.baddata;

import java.util.Random;

/** A message with invalid UTF-8, which Go rejects as a whole. */
final class InvalidUtf8 implements Corruption {

	private static final int[] TEXTS = { StoredMessage.TYPE, StoredMessage.ID, StoredMessage.QUEUE,
			StoredMessage.ERROR_MESSAGE, StoredMessage.UNIQUE_KEY, StoredMessage.GROUP };

	private static final byte[][] INVALID = { { (byte) 0xFF }, { 'a', (byte) 0xC0, (byte) 0x80 },
			{ (byte) 0xED, (byte) 0xA0, (byte) 0x80 }, { (byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80 },
			{ 'a', (byte) 0xE2, (byte) 0x82 } };

	@Override
	public String name() {
		return "invalid-utf8";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		byte[] message = StoredMessage.of(HANDLED_TYPE, queue.name(), key)
			.bytes(TEXTS[random.nextInt(TEXTS.length)], INVALID[random.nextInt(INVALID.length)])
			.toBytes();
		Place place = Place.values()[random.nextInt(Place.values().length)];
		queue.task(key, message, place.state());
		place.put(queue, key);
		return Planted.of(name(), queue, key, Fate.ARCHIVED_AS_IT_IS).message(message);
	}

}
