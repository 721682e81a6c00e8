package io.asynq.reliability.baddata;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Has a wrong type while this is open; its old value is restored afterwards. */
final class SpoiltKey implements AutoCloseable {

	private static final byte[] KEPT = RawQueue.utf8("asynq-reliability:kept");

	private final RawQueue queue;

	private final byte[] key;

	private final String type;

	private final String description;

	private SpoiltKey(RawQueue queue, Target target, Random random) {
		this.queue = queue;
		this.key = target.shared() ? RawQueue.utf8("asynq:" + target.suffix()) : queue.key(target.suffix());
		if (!queue.type(this.key).equals("none")) {
			queue.run("RENAME", this.key, KEPT);
		}
		queue.writeOtherThan(target.right(), this.key, random);
		this.type = queue.type(this.key);
		this.description = target.suffix() + " as " + this.type;
	}

	static List<Target> targets() {
		String day = LocalDate.now(ZoneOffset.UTC).toString();
		Stream<Target> own = Stream.of(new Target("pending", "list", false), new Target("active", "list", false),
				new Target("lease", "zset", false), new Target("scheduled", "zset", false),
				new Target("retry", "zset", false), new Target("archived", "zset", false),
				new Target("completed", "zset", false), new Target("groups", "set", false),
				new Target("g:mails", "zset", false), new Target("aggregation_sets", "zset", false),
				new Target("paused", "string", false), new Target("processed", "string", false),
				new Target("failed", "string", false), new Target("processed:" + day, "string", false),
				new Target("failed:" + day, "string", false));
		Stream<Target> shared = Stream.of(new Target("queues", "set", true), new Target("servers", "zset", true),
				new Target("workers", "zset", true), new Target("schedulers", "zset", true));
		return Stream.concat(own, shared).toList();
	}

	static SpoiltKey open(RawQueue queue, Target target, Random random) {
		return new SpoiltKey(queue, target, random);
	}

	@Override
	public void close() {
		// A writer may have recreated the key
		if (this.queue.type(this.key).equals(this.type)) {
			this.queue.run("DEL", this.key);
		}
		if (!this.queue.type(KEPT).equals("none")) {
			this.queue.run("RENAME", KEPT, this.key);
		}
	}

	@Override
	public String toString() {
		return this.description;
	}

	/** A key that can be spoilt. */
	record Target(String suffix, String right, boolean shared) {
	}

}
