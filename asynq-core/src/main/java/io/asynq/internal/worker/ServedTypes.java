package io.asynq.internal.worker;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Types have an equals sign before them, prefixes a caret; Go servers do not tell theirs.
 */
public record ServedTypes(Set<String> queues, @Nullable Collection<String> types) {

	private static final String SEPARATOR = "\0";

	public static String text(Collection<String> exact, Collection<String> prefixes) {
		return Stream.concat(exact.stream().map((type) -> "=" + type), prefixes.stream().map((prefix) -> "^" + prefix))
			.filter((type) -> !type.contains(SEPARATOR))
			.collect(Collectors.joining(SEPARATOR));
	}

	public static ServedTypes of(Set<String> queues, @Nullable String text) {
		return new ServedTypes(queues, (text != null) ? parse(text) : null);
	}

	public boolean includes(String type) {
		Collection<String> told = this.types;
		return told != null && (told.contains("=" + type)
				|| told.stream().anyMatch((each) -> each.startsWith("^") && type.startsWith(each.substring(1))));
	}

	private static List<String> parse(String text) {
		return text.isEmpty() ? List.of() : Arrays.asList(text.split(SEPARATOR));
	}

}
