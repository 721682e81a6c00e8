package io.asynq.internal.worker;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.internal.text.RedactedError;
import org.jspecify.annotations.Nullable;

/**
 * Errors may be user code: if their methods throw, the text is shorter.
 */
public final class ErrorTexts {

	private static final int MAX_DEPTH = 100;

	/** One more than is stored, so that the store can see that the text was cut. */
	private static final int MAX_LENGTH = 10_001;

	private static final String LEFT_OUT = "(what the parser says may quote the payload, so it is left out)";

	/** What Jackson writes before the place of an error. */
	private static final String PLACE = "\n at [";

	/** By name, because neither version of Jackson need be on the classpath. */
	private static final Set<String> PARSERS = Set.of("tools.jackson.core.JacksonException",
			"com.fasterxml.jackson.core.JacksonException", "com.fasterxml.jackson.core.JsonProcessingException");

	private ErrorTexts() {
	}

	/**
	 * Our errors by their message, which Go writes too, others with their class; the
	 * message of a JSON parser quotes the payload, which must appear neither in logs nor
	 * in tools.
	 */
	public static String describe(Throwable error) {
		String name = error.getClass().getName();
		try {
			Set<String> quotes = new LinkedHashSet<>();
			Throwable current = error;
			for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
				addQuotes(current, quotes);
				current = cause(current);
			}
			return withoutQuotes(error, quotes);
		}
		catch (Throwable ex) {
			return name;
		}
	}

	/** The error as it may be logged: a copy if a JSON parser has a part in it. */
	public static Throwable quoteFree(Throwable error) {
		try {
			Set<String> quotes = new LinkedHashSet<>();
			List<Throwable> parts = RedactedError.parts(error);
			parts.forEach((part) -> addQuotes(part, quotes));
			return (quotes.isEmpty() && RedactedError.isAll(parts)) ? error
					: RedactedError.of(error, (part) -> withoutQuotes(part, quotes));
		}
		catch (Throwable ex) {
			return RedactedError.textOnly(error.getClass().getName());
		}
	}

	static boolean hasCause(@Nullable Throwable error, Class<? extends Throwable> type) {
		return findCause(error, type) != null;
	}

	public static <T extends Throwable> @Nullable T findCause(@Nullable Throwable error, Class<T> type) {
		Throwable current = error;
		for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
			if (type.isInstance(current)) {
				return type.cast(current);
			}
			current = cause(current);
		}
		return null;
	}

	/** Others quote a parser with the place that it appends or without it. */
	private static void addQuotes(Throwable error, Set<String> quotes) {
		String message = isParser(error.getClass()) ? message(error) : null;
		if (message != null && !message.isEmpty()) {
			quotes.add(message);
			int place = message.indexOf(PLACE);
			if (place > 0) {
				quotes.add(message.substring(0, place));
			}
		}
	}

	private static String withoutQuotes(Throwable error, Set<String> quotes) {
		String name = error.getClass().getName();
		String text = text(error, name);
		for (String quote : quotes) {
			// The quotation itself may be cut
			text = (text.length() < MAX_LENGTH) ? text.replace(quote, LEFT_OUT) : name + ": " + LEFT_OUT;
		}
		return text;
	}

	private static String text(Throwable error, String name) {
		String message = message(error);
		if (error instanceof AsynqException && message != null) {
			return cut(message);
		}
		if (message != null && message.length() >= MAX_LENGTH) {
			// toString() would build another text of that size
			return cut(name + ": " + cut(message));
		}
		try {
			String text = error.toString();
			return (text != null) ? cut(text) : name;
		}
		catch (Throwable ex) {
			return (message != null) ? cut(name + ": " + message) : name;
		}
	}

	private static String cut(String text) {
		return (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH) : text;
	}

	private static @Nullable String message(Throwable error) {
		try {
			return error.getMessage();
		}
		catch (Throwable ex) {
			return null;
		}
	}

	private static @Nullable Throwable cause(Throwable error) {
		try {
			return error.getCause();
		}
		catch (Throwable ex) {
			return null;
		}
	}

	private static boolean isParser(Class<?> type) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			if (PARSERS.contains(current.getName())) {
				return true;
			}
		}
		return false;
	}

}
