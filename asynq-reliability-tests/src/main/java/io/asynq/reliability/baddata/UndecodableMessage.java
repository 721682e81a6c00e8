package io.asynq.reliability.baddata;

import java.util.Arrays;
import java.util.Random;

/** Bytes that are no message: noise, a truncated message, none at all. */
final class UndecodableMessage implements Corruption {

	/**
	 * A wire type that protobuf does not know, so the message is rejected whatever
	 * follows.
	 */
	private static final byte NO_SUCH_KIND = 0x0F;

	@Override
	public String name() {
		return "undecodable-message";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		byte[] message = switch (random.nextInt(3)) {
			case 0 -> noise(random);
			case 1 -> cutOff(StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes(), random);
			default -> new byte[0];
		};
		Place place = Place.values()[random.nextInt(Place.values().length)];
		queue.task(key, message, place.state());
		place.put(queue, key);
		return Planted.of(name(), queue, key, Fate.ARCHIVED_AS_IT_IS).message(message);
	}

	private static byte[] noise(Random random) {
		byte[] noise = new byte[1 + random.nextInt(200)];
		random.nextBytes(noise);
		noise[0] = NO_SUCH_KIND;
		return noise;
	}

	private static byte[] cutOff(byte[] message, Random random) {
		// Within the first field, whose length promises more
		return Arrays.copyOf(message, 3 + random.nextInt(HANDLED_TYPE.length() - 2));
	}

}
