package io.asynq.reliability.baddata;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;

import io.asynq.reliability.baddata.Planted.Fate;
import org.jspecify.annotations.Nullable;

/** The kinds of inconsistent data, each with the fate that a server must give it. */
enum Corruption {

	/** Bytes that are no message: noise, a truncated message, none at all. */
	UNDECODABLE_MESSAGE((spot) -> spot.undecodable(switch (spot.draw(3)) {
		case 0 -> noise(spot.random());
		// Within the first field, whose length promises more
		case 1 -> Arrays.copyOf(spot.message().toBytes(), 3 + spot.draw(HealthyTasks.TYPE.length() - 2));
		default -> new byte[0];
	})),

	/** Go rejects such a message as a whole. */
	INVALID_UTF8((spot) -> spot.undecodable(spot.message()
		.bytes(spot.one(List.of(StoredMessage.TYPE, StoredMessage.ID, StoredMessage.QUEUE, StoredMessage.ERROR_MESSAGE,
				StoredMessage.UNIQUE_KEY, StoredMessage.GROUP)),
				bytes(spot.one(List.of("ff", "61c080", "eda080", "f5808080", "61e282"))))
		.toBytes())),

	ID_WITHOUT_HASH((spot) -> {
		spot.putAnywhere();
		return spot.expect(Fate.REMOVED);
	}),

	HASH_WITHOUT_STATE((spot) -> {
		spot.store(spot.message(), null);
		Place place = spot.putAnywhere();
		return spot.expect((place != null) ? place.ofValid() : Fate.DELETED);
	}),

	/** No loop visits all tasks, so it stays until the queue is diagnosed. */
	HASH_WITHOUT_CONTAINER((spot) -> {
		byte[] message = spot.store(spot.message(), spot.one(List.of("pending", "active", "scheduled", "retry",
				"archived", "completed", "aggregating", "no such state")));
		return spot.expect(Fate.LEFT).message(message);
	}),

	/** No scan of leases finds it. */
	ACTIVE_WITHOUT_LEASE((spot) -> {
		int kind = spot.draw(3);
		byte[] message = (kind == 0) ? null
				: (kind == 1) ? spot.message().toBytes() : new byte[] { Corruption.NO_SUCH_WIRE_TYPE };
		spot.queue().task(spot.id(), message, (kind == 0) ? null : "active");
		spot.queue().listed("active", spot.id());
		return (message == null) ? spot.expect(Fate.REMOVED)
				: spot.expect((kind == 1) ? Fate.ARCHIVED_AS_LOST : Fate.ARCHIVED_AS_IT_IS).message(message);
	}),

	/** Of a task that was archived long ago, is in no container, or is gone. */
	LEASE_WITHOUT_ACTIVE((spot) -> {
		int kind = spot.draw(3);
		byte[] message = (kind == 0) ? null : spot.store(spot.message(), (kind == 1) ? "active" : "archived");
		if (kind == 2) {
			spot.queue().sorted("archived", spot.id(), "1900000000");
		}
		spot.queue().sorted("lease", spot.id(), Place.PAST);
		return switch (kind) {
			case 0 -> spot.expect(Fate.REMOVED);
			case 1 -> spot.expect(Fate.ARCHIVED_AS_LOST);
			default -> spot.expect(Fate.LEASE_DROPPED).message(message).staysIn("archived");
		};
	}),

	/** No whole number of seconds, or beyond any time. */
	SCORE_NOT_A_NUMBER((spot) -> {
		boolean due = spot.draw(2) == 0;
		String place = spot.one(List.of("scheduled", "retry", "completed", "lease"));
		boolean active = place.equals("lease");
		byte[] message = spot.store(spot.message(), active ? "active" : place);
		spot.queue()
			.sorted(place, spot.id(),
					spot.one(due ? List.of("-inf", "-1e300", "1700000000.5", "0.000001", "-9007199254740993", "0")
							: List.of("+inf", "1e300", "9007199254740993.5", "253402300800")));
		if (active) {
			spot.queue().listed("active", spot.id());
		}
		if (!due) {
			return spot.expect(Fate.LEFT)
				.message(message)
				.staysIn(active ? new String[] { "active", "lease" } : new String[] { place });
		}
		return spot.expect(active ? Fate.ARCHIVED_AS_LOST : place.equals("completed") ? Fate.DELETED : Fate.HANDLED);
	}),

	/** A queue has one empty id at most. */
	ODD_ID((spot) -> {
		String id = spot.text();
		if (spot.number() == 0) {
			return spot.as(new byte[0]).valid(Place.PENDING);
		}
		return switch (spot.draw(4)) {
			case 0 -> spot.as(id + "x".repeat(1024 - id.length())).valid(spot.place());
			case 1 -> spot.as(id + " \u0000\n\r\t'\"{}:*?[\u202e\ufeff").valid(spot.place());
			case 2 -> spot.as(id + " \ud83d\ude00").valid(spot.place());
			default -> {
				byte[] key = Arrays.copyOf(spot.id(), spot.id().length + 2);
				key[key.length - 2] = (byte) 0xFF;
				key[key.length - 1] = (byte) 0xFE;
				byte[] message = spot.message().toBytes();
				if (spot.draw(4) > 0) {
					yield spot.as(key).undecodable(message);
				}
				spot.queue().task(key, message, spot.place().state());
				spot.queue().listed("active", key);
				yield spot.as(key).expect(Fate.ARCHIVED_AS_IT_IS).message(message);
			}
		};
	}),

	TASK_OF_WRONG_TYPE((spot) -> {
		spot.queue().writeOtherThan("hash", spot.queue().taskKey(spot.id()), spot.random());
		if (spot.draw(6) == 0) {
			spot.queue().listed("active", spot.id());
		}
		else {
			spot.putAnywhere();
		}
		return spot.expect(Fate.REMOVED_WRONG_TYPE);
	}),

	/** Extreme numbers and fields that name keys of no task; the task itself is valid. */
	ODD_NUMBERS((spot) -> {
		StoredMessage message = spot.message();
		switch (spot.draw(7)) {
			case 0 -> message.number(StoredMessage.TIMEOUT, Long.MAX_VALUE);
			case 1 -> message.number(StoredMessage.DEADLINE, Long.MAX_VALUE);
			case 2 -> message.number(StoredMessage.MAX_RETRY, -1).number(StoredMessage.RETRIED, Integer.MIN_VALUE);
			case 3 -> message.number(StoredMessage.RETENTION, Long.MIN_VALUE);
			case 4 -> message.bytes(StoredMessage.UNIQUE_KEY, spot.queue().key("pending"));
			case 5 -> message.number(200, 7).bytes(201, new byte[1000]);
			default -> spot.queue()
				.run("HSET", spot.queue().taskKey(spot.id()), RawQueue.utf8("pending_since"),
						RawQueue.utf8("yesterday"));
		}
		return spot.valid(message, Place.PENDING);
	}),

	/** Left behind by an interrupted manual repair: it must not be handled twice. */
	ID_LISTED_TWICE((spot) -> {
		spot.store(spot.message(), spot.one(List.of("scheduled", "retry")));
		if (spot.draw(2) == 0) {
			spot.queue().run("LPUSH", spot.queue().key("pending"), spot.id(), spot.id());
		}
		else {
			// Added atomically, so that no server finds one of the two alone
			spot.queue()
				.run("EVAL",
						RawQueue.utf8("for _, set in ipairs(KEYS) do redis.call('ZADD', set, ARGV[1], ARGV[2]) end"),
						RawQueue.utf8("2"), spot.queue().key("scheduled"), spot.queue().key("retry"),
						RawQueue.utf8(Place.PAST), spot.id());
		}
		return spot.expect(Fate.HANDLED);
	}),

	/** 64 MiB, which Go accepts. */
	HUGE_PAYLOAD((spot) -> spot.valid(spot.message().bytes(StoredMessage.PAYLOAD, new byte[64 * 1024 * 1024]),
			Place.PENDING));

	/** So the message is rejected whatever follows. */
	private static final byte NO_SUCH_WIRE_TYPE = 0x0F;

	private final Function<Spot, Planted> planting;

	Corruption(Function<Spot, Planted> planting) {
		this.planting = planting;
	}

	Planted plant(RawQueue queue, String id, int number, Random random) {
		return this.planting.apply(new Spot(this, queue, RawQueue.utf8(id), number, random));
	}

	int most(int corruptions) {
		return (this == HUGE_PAYLOAD) ? 1 + corruptions / 2000 : corruptions;
	}

	/** As in findings and in the table. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private static byte[] noise(Random random) {
		byte[] noise = new byte[1 + random.nextInt(200)];
		random.nextBytes(noise);
		noise[0] = NO_SUCH_WIRE_TYPE;
		return noise;
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	/**
	 * Where a server comes across an id: the processor, the recoverer or the forwarder.
	 */
	enum Place {

		PENDING("pending"), LOST("active"), SCHEDULED("scheduled"), RETRY("retry");

		/** A time long past for any clock and grace. */
		static final String PAST = "1700000000";

		private final String state;

		Place(String state) {
			this.state = state;
		}

		String state() {
			return this.state;
		}

		void put(RawQueue queue, byte[] id) {
			if (this == SCHEDULED || this == RETRY) {
				queue.sorted(this.state, id, PAST);
				return;
			}
			if (this == LOST) {
				queue.sorted("lease", id, PAST);
			}
			queue.listed(this.state, id);
		}

		Fate ofValid() {
			return (this == LOST) ? Fate.ARCHIVED_AS_LOST : Fate.HANDLED;
		}

	}

	/** Where one is planted, and how many of its kind there are already. */
	private record Spot(Corruption kind, RawQueue queue, byte[] id, int number, Random random) {

		Spot as(byte[] otherId) {
			return new Spot(this.kind, this.queue, otherId, this.number, this.random);
		}

		Spot as(String otherId) {
			return as(RawQueue.utf8(otherId));
		}

		String text() {
			return new String(this.id, StandardCharsets.UTF_8);
		}

		int draw(int bound) {
			return this.random.nextInt(bound);
		}

		<T> T one(List<T> choices) {
			return choices.get(draw(choices.size()));
		}

		Place place() {
			return one(List.of(Place.values()));
		}

		StoredMessage message() {
			return StoredMessage.of(HealthyTasks.TYPE, this.queue.name(), this.id);
		}

		byte[] store(StoredMessage message, @Nullable String state) {
			byte[] bytes = message.toBytes();
			this.queue.task(this.id, bytes, state);
			return bytes;
		}

		/**
		 * Returns {@code null} for the completed tasks, which only the janitor visits.
		 */
		@Nullable Place putAnywhere() {
			int place = draw(Place.values().length + 1);
			if (place == Place.values().length) {
				this.queue.sorted("completed", this.id, Place.PAST);
				return null;
			}
			Place.values()[place].put(this.queue, this.id);
			return Place.values()[place];
		}

		Planted undecodable(byte[] message) {
			Place place = place();
			this.queue.task(this.id, message, place.state());
			place.put(this.queue, this.id);
			return expect(Fate.ARCHIVED_AS_IT_IS).message(message);
		}

		Planted valid(Place place) {
			return valid(message(), place);
		}

		Planted valid(StoredMessage message, Place place) {
			store(message, place.state());
			place.put(this.queue, this.id);
			return expect(place.ofValid());
		}

		Planted expect(Fate fate) {
			return new Planted(this.kind, this.queue, this.id, fate, null, List.of());
		}

	}

}
