package io.asynq.interop.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

/**
 * A place at which two databases differ.
 *
 * @param path the key and the part of it
 * @param first the value in the first, {@code null} for none
 * @param second the value in the second, {@code null} for none
 */
record Difference(String path, @Nullable Cell first, @Nullable Cell second) {

	static List<Difference> between(SortedMap<String, Cell> first, SortedMap<String, Cell> second) {
		return between(first, second, Cell::matches);
	}

	static List<Difference> timeless(SortedMap<String, Cell> first, SortedMap<String, Cell> second) {
		return between(first, second, Cell::matchesTimeless);
	}

	/**
	 * Returns the differences after a step that did not exist before it.
	 */
	static List<Difference> newOf(List<Difference> differences, Map<String, Difference> before) {
		return differences.stream().filter((difference) -> {
			Difference earlier = before.get(difference.path);
			return earlier == null || !sameKind(earlier.first, difference.first)
					|| !sameKind(earlier.second, difference.second);
		}).toList();
	}

	private static List<Difference> between(SortedMap<String, Cell> first, SortedMap<String, Cell> second,
			BiPredicate<Cell, Cell> same) {
		List<Difference> differences = new ArrayList<>();
		TreeSet<String> paths = new TreeSet<>(first.keySet());
		paths.addAll(second.keySet());
		for (String path : paths) {
			Cell one = first.get(path);
			Cell other = second.get(path);
			if (one == null || other == null || !same.test(one, other)) {
				differences.add(new Difference(path, one, other));
			}
		}
		return differences;
	}

	private static boolean sameKind(@Nullable Cell earlier, @Nullable Cell later) {
		if (earlier == null || later == null) {
			return earlier == later;
		}
		return earlier.matchesTimeless(later);
	}

}
