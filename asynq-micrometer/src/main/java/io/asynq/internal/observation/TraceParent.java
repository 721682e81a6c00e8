package io.asynq.internal.observation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A span of another process, as W3C's header {@code traceparent} names it.
 */
public record TraceParent(String traceId, String spanId, boolean sampled) {

	/** Later versions may append fields, and 255 is none. */
	private static final Pattern FORMAT = Pattern
		.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])(-.*)?");

	/** Returns {@code null} if the header names no span. */
	public static @Nullable TraceParent parse(String header) {
		Matcher matcher = FORMAT.matcher(header);
		return matcher.matches()
				? new TraceParent(matcher.group(1), matcher.group(2), Integer.parseInt(matcher.group(3), 16) % 2 == 1)
				: null;
	}

}
