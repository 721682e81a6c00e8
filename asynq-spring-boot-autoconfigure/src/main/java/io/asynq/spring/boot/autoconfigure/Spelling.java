package io.asynq.spring.boot.autoconfigure;

import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Property binding ignores case and dashes.
 */
final class Spelling {

	private Spelling() {
	}

	/**
	 * Few letters differ, in each part and in all, seen by the length of the last one.
	 */
	static boolean isAlike(String given, String known) {
		String[] parts = given.split("\\.");
		String[] meant = known.split("\\.");
		// An environment variable has parts of its own
		return areFew(given, known, meant[meant.length - 1]) && (parts.length != meant.length
				|| IntStream.range(0, parts.length).allMatch((i) -> areFew(parts[i], meant[i], meant[i])));
	}

	private static boolean areFew(String given, String known, String part) {
		return distance(given, known) <= Math.max(2, part.length() / 3);
	}

	/** The Levenshtein distance. */
	static int distance(String one, String other) {
		String from = letters(one);
		String to = letters(other);
		int[] row = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int changed = diagonal + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[to.length()];
	}

	private static String letters(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

}
