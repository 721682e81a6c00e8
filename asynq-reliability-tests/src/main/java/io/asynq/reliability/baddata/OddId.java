package io.asynq.reliability.baddata;

import java.util.Arrays;
import java.util.Random;

/**
 * Unusual ids that a task can have: an empty one, a thousand characters, control
 * characters and braces, and invalid UTF-8.
 */
final class OddId implements Corruption {

	/** Only one task can have an empty id. */
	private boolean emptyIdUsed;

	@Override
	public String name() {
		return "odd-id";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		return switch (random.nextInt(5)) {
			case 0 -> handled(queue, emptyOr(id), Place.PENDING);
			case 1 -> handled(queue, RawQueue.utf8(id + "x".repeat(1024 - id.length())), any(random));
			case 2 -> handled(queue, RawQueue.utf8(id + " \u0000\n\r\t'\"{}:*?[\u202e\ufeff"), any(random));
			case 3 -> handled(queue, RawQueue.utf8(id + " \ud83d\ude00"), any(random));
			default -> noText(queue, id, random);
		};
	}

	private byte[] emptyOr(String id) {
		byte[] chosen = this.emptyIdUsed ? RawQueue.utf8(id) : new byte[0];
		this.emptyIdUsed = true;
		return chosen;
	}

	private Planted handled(RawQueue queue, byte[] id, Place place) {
		queue.task(id, StoredMessage.of(HANDLED_TYPE, queue.name(), id).toBytes(), place.state());
		place.put(queue, id);
		return Planted.of(name(), queue, id, (place == Place.LOST) ? Fate.ARCHIVED_AS_LOST : Fate.HANDLED);
	}

	private Planted noText(RawQueue queue, String id, Random random) {
		byte[] key = Arrays.copyOf(RawQueue.utf8(id), id.length() + 2);
		key[id.length()] = (byte) 0xFF;
		key[id.length() + 1] = (byte) 0xFE;
		byte[] message = StoredMessage.of(HANDLED_TYPE, queue.name(), RawQueue.utf8(id)).toBytes();
		Place place = any(random);
		queue.task(key, message, place.state());
		if (random.nextInt(4) == 0) {
			queue.listed("active", key);
		}
		else {
			place.put(queue, key);
		}
		return Planted.of(name(), queue, key, Fate.ARCHIVED_AS_IT_IS).message(message);
	}

	private static Place any(Random random) {
		return Place.values()[random.nextInt(Place.values().length)];
	}

}
