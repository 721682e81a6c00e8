package io.asynq.spring.boot.autoconfigure;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says each hint once: when Redis cannot be used, all loops fail for the same reason, and
 * each error ends with the same advice in brackets. For one answer, used by one thread.
 */
final class Hints {

	private static final Pattern HINT = Pattern.compile(" \\([^()]*\\)$");

	private final Set<String> given = new HashSet<>();

	/**
	 * Leaves out the hint of an error if an earlier one had it.
	 */
	String withoutKnown(String error) {
		Matcher hint = HINT.matcher(error);
		return (hint.find() && !this.given.add(hint.group())) ? error.substring(0, hint.start()) : error;
	}

}
