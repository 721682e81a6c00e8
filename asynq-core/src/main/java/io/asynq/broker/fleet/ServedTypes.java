package io.asynq.broker.fleet;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a live server takes. Immutable.
 *
 * @param queues its queues
 * @param types its types: each with an equals sign before it, or a prefix of types with a
 * caret; {@code null} if it does not tell, as Go and earlier versions
 */
public record ServedTypes(Set<String> queues, @Nullable Collection<String> types) {

	private static final String SEPARATOR = "\0";

	/**
	 * Returns the text form of types.
	 * @param exact types
	 * @param prefixes prefixes of types
	 */
	public static String text(Collection<String> exact, Collection<String> prefixes) {
		return Stream.concat(exact.stream().map((type) -> "=" + type), prefixes.stream().map((prefix) -> "^" + prefix))
			.filter((type) -> !type.contains(SEPARATOR))
			.collect(Collectors.joining(SEPARATOR));
	}

	/**
	 * Reads the text form.
	 * @param text the types, {@code null} if the server does not tell
	 */
	public static ServedTypes of(Set<String> queues, @Nullable String text) {
		return new ServedTypes(queues, (text != null) ? parse(text) : null);
	}

	/**
	 * Returns whether the server has a handler for a type, as far as it tells.
	 */
	public boolean includes(String type) {
		Collection<String> told = this.types;
		return told != null && (told.contains("=" + type)
				|| told.stream().anyMatch((each) -> each.startsWith("^") && type.startsWith(each.substring(1))));
	}

	private static List<String> parse(String text) {
		return text.isEmpty() ? List.of() : Arrays.asList(text.split(SEPARATOR));
	}

}
