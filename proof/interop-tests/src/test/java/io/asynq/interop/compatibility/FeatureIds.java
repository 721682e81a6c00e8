package io.asynq.interop.compatibility;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The ids of asynq's features, each of which needs a row.
 */
final class FeatureIds {

	private static final String RANGES = "A01-07 B01-05 C01-22 D01-15 E01-11 F01-22 G01-10 H01-18 I01-05 J01-04 "
			+ "K01-06 L01-09 M01-16 N01-08 O01-21 P00-25 Q01-09 R01-06 S01-07";

	private FeatureIds() {
	}

	static Set<String> all() {
		Set<String> ids = new LinkedHashSet<>();
		for (String range : RANGES.split(" ")) {
			char area = range.charAt(0);
			int first = Integer.parseInt(range.substring(1, 3));
			int last = Integer.parseInt(range.substring(4));
			for (int number = first; number <= last; number++) {
				ids.add("%s%02d".formatted(area, number));
			}
		}
		return ids;
	}

	/**
	 * Returns whether a feature may be planned only: one of the tools around asynq.
	 */
	static boolean mayComeLater(String id) {
		return id.startsWith("P") || id.equals("Q09");
	}

}
