package io.asynq.spring.boot.autoconfigure;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When Redis cannot be used, all loops fail for the same reason, and each error ends with
 * the same advice in brackets.
 */
final class Hints {

	private static final Pattern HINT = Pattern.compile(" \\([^()]*\\)$");

	private final Set<String> given = new HashSet<>();

	String withoutKnown(String error) {
		Matcher hint = HINT.matcher(error);
		return (hint.find() && !this.given.add(hint.group())) ? error.substring(0, hint.start()) : error;
	}

}
