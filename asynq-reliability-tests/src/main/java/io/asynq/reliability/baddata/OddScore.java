package io.asynq.reliability.baddata;

import java.util.List;
import java.util.Random;

/** A score that is no whole number of seconds, or beyond any time. */
final class OddScore implements Corruption {

	private static final List<String> DUE = List.of("-inf", "-1e300", "1700000000.5", "0.000001", "-9007199254740993",
			"0");

	private static final List<String> NEVER = List.of("+inf", "1e300", "9007199254740993.5", "253402300800");

	@Override
	public String name() {
		return "score-not-a-number";
	}

	@Override
	public Planted plant(RawQueue queue, String id, Random random) {
		byte[] key = RawQueue.utf8(id);
		byte[] message = StoredMessage.of(HANDLED_TYPE, queue.name(), key).toBytes();
		boolean due = random.nextBoolean();
		String score = due ? DUE.get(random.nextInt(DUE.size())) : NEVER.get(random.nextInt(NEVER.size()));
		String place = List.of("scheduled", "retry", "completed", "lease").get(random.nextInt(4));
		queue.task(key, message, place.equals("lease") ? "active" : place);
		if (place.equals("lease")) {
			queue.sorted(place, key, score);
			queue.listed("active", key);
			return due ? Planted.of(name(), queue, key, Fate.ARCHIVED_AS_LOST)
					: Planted.of(name(), queue, key, Fate.LEFT).message(message).staysIn("active", "lease");
		}
		queue.sorted(place, key, score);
		if (!due) {
			return Planted.of(name(), queue, key, Fate.LEFT).message(message).staysIn(place);
		}
		return Planted.of(name(), queue, key, place.equals("completed") ? Fate.DELETED : Fate.HANDLED);
	}

}
