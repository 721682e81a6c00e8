package io.asynq.observation;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The headers are those of W3C's Trace Context, which Go's propagators read and write as
 * well, and one of our own.
 */
final class TraceHeaders {

	static final String TRACEPARENT = "traceparent";

	/** Says how to follow the other headers, if not as the parent. */
	private static final String RELATION = "x-asynq-trace";

	private static final String LINK = "link";

	private TraceHeaders() {
	}

	/**
	 * Headers of the same names that the task has are replaced: they were copied from
	 * another task.
	 */
	static Map<String, String> add(Map<String, String> own, Map<String, String> written, boolean later) {
		if (written.isEmpty()) {
			return own;
		}
		Map<String, String> headers = new HashMap<>(own);
		headers.remove(RELATION);
		headers.putAll(written);
		if (later) {
			headers.put(RELATION, LINK);
		}
		return Map.copyOf(headers);
	}

	static boolean asksForLink(Map<String, String> headers) {
		return LINK.equals(headers.get(RELATION));
	}

	/** A tracer finds no trace to continue in these, but baggage. */
	static Map<String, String> withoutTrace(Map<String, String> headers) {
		Map<String, String> others = new HashMap<>(headers);
		others.keySet().removeIf(TraceHeaders::isTrace);
		return others;
	}

	/** Zipkin's headers as well, which an application can have its tracer use instead. */
	private static boolean isTrace(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		return lower.equals(TRACEPARENT) || lower.equals("tracestate") || lower.equals("b3")
				|| lower.startsWith("x-b3-");
	}

}
