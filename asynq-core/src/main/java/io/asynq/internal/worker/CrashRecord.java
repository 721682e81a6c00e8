package io.asynq.internal.worker;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.redis.Text;

/**
 * Kept with a task until an attempt ends by itself; {@code cutShort} counts attempts in a
 * row that the stop of a young server ended.
 */
public record CrashRecord(boolean suspect, int crashes, List<String> deaths, int cutShort) {

	public static final CrashRecord CLEAN = new CrashRecord(false, 0, List.of(), 0);

	private static final String SEPARATOR = ", ";

	private static final int MOST_DEATHS = 5;

	private static final int LONGEST_NAME = 100;

	/** The server may not have run the task, so its next beginning is recorded. */
	public CrashRecord suspected() {
		return new CrashRecord(true, this.crashes, this.deaths, 0);
	}

	public CrashRecord stopped(boolean young) {
		return new CrashRecord(this.suspect, this.crashes, this.deaths, young ? this.cutShort + 1 : 0);
	}

	public CrashRecord crashed(String server, Instant at) {
		String name = (server.length() > LONGEST_NAME) ? server.substring(0, LONGEST_NAME - 1) + "…" : server;
		List<String> all = new ArrayList<>(this.deaths);
		all.add((name.isEmpty() ? "unknown" : name) + " " + at.truncatedTo(ChronoUnit.SECONDS));
		return new CrashRecord(true, this.crashes + 1,
				List.copyOf(all.subList(Math.max(0, all.size() - MOST_DEATHS), all.size())), 0);
	}

	/** Invalid fields do not fail: anybody may have written them. */
	static Map<String, CrashRecord> dequeued(List<?> fields) {
		Map<String, CrashRecord> records = new HashMap<>();
		for (int i = 0; i < fields.size(); i += 5) {
			records.put(Text.of(fields.get(i)), new CrashRecord(!text(fields, i + 1).isEmpty(), count(fields, i + 2),
					deaths(fields, i + 3), count(fields, i + 4)));
		}
		return records;
	}

	static CrashRecord recovered(List<?> fields, int from) {
		return new CrashRecord(!text(fields, from).isEmpty(), count(fields, from + 1), deaths(fields, from + 2), 0);
	}

	String deathsText() {
		return String.join(SEPARATOR, this.deaths);
	}

	private static List<String> deaths(List<?> fields, int index) {
		String text = text(fields, index);
		return text.isEmpty() ? List.of() : new ArrayList<>(List.of(text.split(SEPARATOR)));
	}

	private static int count(List<?> fields, int index) {
		String text = text(fields, index);
		return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
	}

	static String text(List<?> fields, int index) {
		return Text.of(fields.get(index));
	}

}
