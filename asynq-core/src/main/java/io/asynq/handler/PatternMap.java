package io.asynq.handler;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The exact type wins, then the longest prefix.
 */
record PatternMap<V>(Map<TypePattern, V> values, List<TypePattern> prefixes) {

	static <V> PatternMap<V> of(Map<TypePattern, V> values) {
		return new PatternMap<>(values,
				values.keySet()
					.stream()
					.filter(TypePattern::prefix)
					.sorted(Comparator.comparing((pattern) -> -pattern.text().length()))
					.toList());
	}

	Optional<TypePattern> pattern(String type) {
		TypePattern exact = new TypePattern(type, false);
		return this.values.containsKey(exact) ? Optional.of(exact)
				: this.prefixes.stream().filter((pattern) -> type.startsWith(pattern.text())).findFirst();
	}

	Optional<V> find(String type) {
		return pattern(type).map(this.values::get);
	}

}
