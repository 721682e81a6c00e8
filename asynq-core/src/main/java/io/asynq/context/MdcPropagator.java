package io.asynq.context;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.InvalidTaskException;
import io.asynq.internal.text.GoText;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

final class MdcPropagator implements ContextPropagator {

	/** Of tracers: W3C's, Zipkin's. */
	private static final List<String> TRACING = List.of("traceparent", "tracestate", "baggage", "b3");

	private static final List<String> RESERVED_PREFIXES = List.of("asynq", "x-asynq", "x-b3-");

	private final List<String> names;

	MdcPropagator(Collection<String> names) {
		names.forEach(MdcPropagator::check);
		this.names = names.stream().distinct().toList();
	}

	@Override
	public Map<String, String> capture() {
		Map<String, String> headers = new HashMap<>();
		for (String name : this.names) {
			String value = MDC.get(name);
			if (value != null) {
				headers.put(name, value);
			}
		}
		return headers;
	}

	@Override
	public Scope open(Map<String, String> headers) {
		String[] before = new String[this.names.size()];
		for (int i = 0; i < before.length; i++) {
			String name = this.names.get(i);
			String value = headers.get(name);
			before[i] = MDC.get(name);
			set(name, (value != null) ? OneLineLogger.printable(value) : null);
		}
		return () -> {
			for (int i = 0; i < before.length; i++) {
				set(this.names.get(i), before[i]);
			}
		};
	}

	private static void set(String name, @Nullable String value) {
		if (value != null) {
			MDC.put(name, value);
		}
		else {
			MDC.remove(name);
		}
	}

	private static void check(String name) {
		if (GoText.isBlank(name)) {
			throw new IllegalArgumentException("The name of a header must not be blank");
		}
		try {
			InvalidTaskException.requireUtf8("header", name);
		}
		catch (InvalidTaskException ex) {
			throw new IllegalArgumentException("The name of a header must be text that UTF-8 can encode", ex);
		}
		String lower = name.toLowerCase(Locale.ROOT);
		if (TRACING.contains(lower) || RESERVED_PREFIXES.stream().anyMatch(lower::startsWith)) {
			throw new IllegalArgumentException("'" + name + "' is used by asynq or by tracing itself, as are " + TRACING
					+ " and names that begin with one of " + RESERVED_PREFIXES + ": choose another name");
		}
	}

}
