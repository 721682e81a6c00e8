package io.asynq.internal.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Keeps its worker though its attempt has ended; its task may be anywhere by then. */
public record StuckHandler(String queue, String type, String taskId, Instant since) {

	private static final String SEPARATOR = "\0";

	private static final int MOST = 100;

	/** Leaves out those whose names contain the separator. */
	public static String text(Collection<StuckHandler> handlers) {
		return handlers.stream()
			.limit(MOST)
			.map((one) -> List.of(String.valueOf(one.since().getEpochSecond()), one.queue(), one.type(), one.taskId()))
			.filter((fields) -> fields.stream().noneMatch((field) -> field.contains(SEPARATOR)))
			.map((fields) -> String.join(SEPARATOR, fields))
			.collect(Collectors.joining(SEPARATOR));
	}

	public static List<StuckHandler> parse(@Nullable String text) {
		List<StuckHandler> handlers = new ArrayList<>();
		String[] fields = Stream.ofNullable(text)
			.flatMap((all) -> Stream.of(all.split(SEPARATOR, -1)))
			.toArray(String[]::new);
		for (int i = 0; i + 3 < fields.length; i += 4) {
			if (fields[i].matches("\\d{1,12}")) {
				handlers.add(new StuckHandler(fields[i + 1], fields[i + 2], fields[i + 3],
						Instant.ofEpochSecond(Long.parseLong(fields[i]))));
			}
		}
		return handlers;
	}

}
