package io.asynq.interop.oracle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes from names whatever differs between processes: random ids, hosts, process ids,
 * days.
 */
final class Names {

	private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

	private static final Pattern PROCESS = Pattern.compile("[^:{}\\s]+:\\d+:" + UUID);

	private static final Pattern RANDOM = Pattern.compile(UUID);

	private static final Pattern DAY = Pattern.compile(":\\d{4}-\\d\\d-\\d\\d");

	private static final Pattern HISTORY = Pattern.compile("^(asynq:scheduler_history:)[^/]+");

	private static final Pattern FIRE = Pattern.compile("(:fire:.*):\\d{10}");

	private static final Pattern SOURCE = Pattern.compile("\\[[^\\[\\]]+:\\d+\\]");

	private Names() {
	}

	static String normalised(String text) {
		String named = PROCESS.matcher(text).replaceAll("<process>");
		named = RANDOM.matcher(named).replaceAll("<uuid>");
		named = HISTORY.matcher(named).replaceAll("$1<entry>");
		named = FIRE.matcher(named).replaceAll("$1:<second>");
		named = SOURCE.matcher(named).replaceAll(Matcher.quoteReplacement("[<line>]"));
		return DAY.matcher(named).replaceAll(":<day>");
	}

}
