package io.asynq.reliability.load;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Fires at multiples of its period since 1970. */
public record Rhythm(String entry, String spec, Duration period) {

	/** The queue of all their tasks. */
	public static final String QUEUE = "default";

	/** The type of their tasks. */
	public static final String TYPE = "fire";

	/** The id of the one that fires often. */
	public static final String BEAT = "beat";

	/** The id of the one with a cron spec. */
	public static final String MINUTE = "minute";

	/** All of them. */
	public static final List<Rhythm> ALL = List.of(new Rhythm(BEAT, "@every 2s", Duration.ofSeconds(2)),
			new Rhythm(MINUTE, "* * * * *", Duration.ofMinutes(1)));

	/** The prefix of the properties with the specs. */
	public static final String PROPERTY = "reliability.periodic.";

	/** Makes a Java worker a scheduler of all of them, and no server. */
	public static Map<String, String> properties() {
		Map<String, String> properties = new LinkedHashMap<>();
		ALL.forEach((rhythm) -> properties.put(PROPERTY + rhythm.entry, rhythm.spec));
		properties.put("asynq.server.enabled", "false");
		return properties;
	}

	public List<Instant> fires(Instant from, Instant to) {
		long seconds = this.period.toSeconds();
		return LongStream
			.rangeClosed(Math.floorDiv(from.getEpochSecond(), seconds), Math.floorDiv(to.getEpochSecond(), seconds))
			.mapToObj((number) -> Instant.ofEpochSecond(number * seconds))
			.filter((fire) -> !fire.isBefore(from))
			.toList();
	}

	public boolean firesAt(Instant moment) {
		return moment.getNano() == 0 && moment.getEpochSecond() % this.period.toSeconds() == 0;
	}

	/** The payload of a task: what fires, and the second since 1970 that it is for. */
	public record Fire(String entry, long second) {

	}

}
