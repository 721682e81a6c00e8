package io.asynq.interop.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records that are structs of the same names in Go, with one value of each.
 */
final class Structs {

	private Structs() {
	}

	/**
	 * Returns an equal value at each call, whose maps were filled in another order.
	 */
	static Object next(String name) {
		return switch (name) {
			case "order" -> new Order("o-1", 9_007_199_254_740_993L, true, new byte[] { 0, -1, 62 },
					List.of(new Line("book", 2), new Line("pen", 1)), map("b", "grün ☕", "a", ""),
					new Order("o-2", 0, false, null, List.of(), null, null));
			case "zero" -> new Order("", 0, false, null, null, null, null);
			case "maps" -> new Maps("m", new HashMap<>(map(9, 1L, 10, 2L, -1, 3L, 100, 4L)),
					map(Colour.RED, Colour.BLUE, Colour.BLUE, Colour.RED),
					map("\"", new Line("quote", 1), "A", new Line("letter", 2), "é", new Line("accent", 3), "\uff5e",
							new Line("wide", 4), "\uD83E\uDD8A", new Line("fox", 5)),
					map("z", 1, "b", List.of(2, 1, map("y", true, "x", null)), "a", map("d", "2", "c", "1")), false);
			case "tree" -> JsonMapper.shared()
				.readTree("{\"z\":12345678901234567,\"k\":[{\"b\":1,\"a\":1.5}],\"a\":{\"9\":0,\"10\":0}}");
			default -> throw new IllegalArgumentException("No struct " + name);
		};
	}

	@SuppressWarnings("unchecked")
	private static <K, V> Map<K, V> map(@Nullable Object... keysAndValues) {
		List<Integer> places = new ArrayList<>();
		for (int i = 0; i < keysAndValues.length; i += 2) {
			places.add(i);
		}
		Collections.shuffle(places);
		Map<K, V> map = new LinkedHashMap<>();
		places.forEach((i) -> map.put((K) keysAndValues[i], (V) keysAndValues[i + 1]));
		return map;
	}

	record Order(String id, long cents, boolean gift, byte @Nullable [] photo, @Nullable List<Line> lines,
			@Nullable Map<String, String> notes, @Nullable Order next) {
	}

	record Line(String item, int quantity) {
	}

	/** Go has their names as values. */
	enum Colour {

		RED, BLUE;

		@Override
		public String toString() {
			return "a colour";
		}

	}

	record Maps(String name, Map<Integer, Long> numbers, Map<Colour, Colour> colours, Map<String, Line> texts,
			Map<String, Object> untyped, boolean existing) {
	}

}
