package io.asynq.internal.fleet;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** How many tasks a server holds: {@code 12 default}, NUL, {@code 3 low}. */
final class HeldText {

	private static final String SEPARATOR = "\0";

	private static final Pattern QUEUE = Pattern.compile("([1-9]\\d{0,8}) (.+)", Pattern.DOTALL);

	private HeldText() {
	}

	/** Leaves out queues whose name contains the separator. */
	static String of(Map<String, Integer> held) {
		return held.entrySet()
			.stream()
			.filter((queue) -> !queue.getKey().contains(SEPARATOR))
			.map((queue) -> queue.getValue() + " " + queue.getKey())
			.collect(Collectors.joining(SEPARATOR));
	}

	/** Leaves out what a later version may have written. */
	static Map<String, Integer> parse(@Nullable String text) {
		Map<String, Integer> held = new TreeMap<>();
		for (String part : (text != null) ? text.split(SEPARATOR) : new String[0]) {
			Matcher queue = QUEUE.matcher(part);
			if (queue.matches()) {
				held.put(queue.group(2), Integer.parseInt(queue.group(1)));
			}
		}
		return Collections.unmodifiableMap(held);
	}

}
