package io.asynq.reliability.baddata;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** One corruption in Redis. */
record Planted(String corruption, RawQueue queue, byte[] id, Fate fate, byte @Nullable [] message,
		List<String> places) {

	static Planted of(String corruption, RawQueue queue, byte[] id, Fate fate) {
		return new Planted(corruption, queue, id, fate, null, List.of());
	}

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
			case LEFT -> found.equals(this.places) && kept && handled == 0;
			case LEASE_DROPPED -> found.equals(this.places) && kept && handled == 0;
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

}
