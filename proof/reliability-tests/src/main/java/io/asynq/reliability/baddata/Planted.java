package io.asynq.reliability.baddata;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.asynq.server.BrokenTask;
import org.jspecify.annotations.Nullable;

/** One corruption in Redis. */
record Planted(Corruption corruption, RawQueue queue, byte[] id, Fate fate, byte @Nullable [] message,
		List<String> places) {

	Planted message(byte[] message) {
		return new Planted(this.corruption, this.queue, this.id, this.fate, message, this.places);
	}

	Planted staysIn(String... places) {
		return new Planted(this.corruption, this.queue, this.id, this.fate, this.message, List.of(places));
	}

	String text() {
		return new String(this.id, StandardCharsets.UTF_8);
	}

	@Nullable String complaint(int handled) {
		List<String> found = this.queue.places(this.id);
		boolean hash = !this.queue.type(this.queue.taskKey(this.id)).equals("none");
		boolean kept = Arrays.equals(this.message, this.queue.field(this.id, "msg"));
		byte[] bytes = this.queue.field(this.id, "state");
		String state = (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : "";
		boolean fine = switch (this.fate) {
			case ARCHIVED_AS_IT_IS ->
				found.equals(List.of("archived")) && state.equals("archived") && kept && handled == 0;
			case ARCHIVED_AS_LOST -> found.equals(List.of("archived")) && state.equals("archived") && handled == 0;
			case REMOVED, DELETED -> found.isEmpty() && !hash && handled == 0;
			case REMOVED_WRONG_TYPE -> found.isEmpty() && hash && handled == 0;
			case HANDLED -> found.isEmpty() && !hash && handled == 1;
			case LEFT, LEASE_DROPPED -> found.equals(this.places) && kept && handled == 0;
		};
		return fine ? null
				: this.corruption + ": id '" + abbreviated() + "' of queue '" + this.queue.name() + "' should be "
						+ this.fate + " but stands in " + found + ", state '" + state + "', hash " + hash
						+ ", message kept " + kept + ", handled " + handled + " times";
	}

	private String abbreviated() {
		String text = text();
		return (text.length() > 60) ? text.substring(0, 60) + "…" : text;
	}

	/** The expected fate of an id. */
	enum Fate {

		/** Archived with its message unchanged, and counted as processed and failed. */
		ARCHIVED_AS_IT_IS(BrokenTask.Kind.UNDECODABLE),

		/** Archived because its server is gone and it has no retries. */
		ARCHIVED_AS_LOST(null),

		/** Removed, because there is no task. */
		REMOVED(BrokenTask.Kind.MISSING),

		/** In no container, with its key unchanged. */
		REMOVED_WRONG_TYPE(BrokenTask.Kind.WRONG_TYPE),

		/** Handled once, and deleted. */
		HANDLED(null),

		/** Deleted without being handled. */
		DELETED(null),

		/** Left in place, because it blocks nothing. */
		LEFT(null),

		/** Its lease is gone, its hash unchanged. */
		LEASE_DROPPED(null);

		final BrokenTask.@Nullable Kind countedAs;

		Fate(BrokenTask.@Nullable Kind countedAs) {
			this.countedAs = countedAs;
		}

	}

}
