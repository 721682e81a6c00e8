package io.asynq.cli.command;

import java.util.Arrays;
import java.util.Set;

import io.asynq.cli.terminal.UsageException;

/**
 * Booleans as Go's flags take them: {@code --force=true}, {@code --cluster=false}.
 */
public final class BooleanFlags {

	private static final Set<String> NEGATABLE = Set.of("--cluster", "--tls", "--insecure");

	private static final Set<String> PLAIN = Set.of("--force", "-f", "--json", "--yes", "-y", "--apply", "--fresh",
			"--dry-run", "--queues");

	private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

	private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

	private BooleanFlags() {
	}

	/** Rewrites arguments so that each flag stands alone. */
	public static String[] withoutValues(String... args) {
		int end = Arrays.asList(args).indexOf("--");
		int flags = (end >= 0) ? end : args.length;
		String[] rewritten = new String[args.length];
		int count = 0;
		for (int i = 0; i < args.length; i++) {
			String arg = (i < flags) ? rewrite(args[i]) : args[i];
			if (!arg.isEmpty() || args[i].isEmpty()) {
				rewritten[count++] = arg;
			}
		}
		return Arrays.copyOf(rewritten, count);
	}

	/** Returns nothing for a flag that is off unless it is given. */
	private static String rewrite(String arg) {
		int equals = arg.indexOf('=');
		String name = (equals > 0) ? arg.substring(0, equals) : "";
		if (!NEGATABLE.contains(name) && !PLAIN.contains(name)) {
			return arg;
		}
		String value = arg.substring(equals + 1);
		if (TRUE.contains(value)) {
			return name;
		}
		if (!FALSE.contains(value)) {
			throw new UsageException("invalid argument \"" + value + "\" for \"" + name + "\": it is true or false");
		}
		return NEGATABLE.contains(name) ? "--no-" + name.substring(2) : "";
	}

}
