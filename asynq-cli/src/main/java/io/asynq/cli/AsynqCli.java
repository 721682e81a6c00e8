package io.asynq.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/** Starts the program {@code asynq}. */
public final class AsynqCli {

	private static final Set<String> NEGATABLE = Set.of("--cluster", "--tls", "--insecure");

	private static final Set<String> PLAIN = Set.of("--force", "-f", "--json", "--yes", "-y", "--apply", "--fresh",
			"--dry-run", "--queues");

	private AsynqCli() {
	}

	public static void main(String[] args) {
		Surroundings surroundings = Surroundings.ofProcess();
		int code = run(surroundings, args);
		surroundings.out().flush();
		surroundings.err().flush();
		System.exit(code);
	}

	/**
	 * Returns 0 if all is well, 1 after an error, 2 if the command was not understood.
	 */
	static int run(Surroundings surroundings, String... args) {
		try {
			List<String> given = new ArrayList<>(List.of(args));
			// The word help before a command means its flag, as in Go's program
			if (!given.isEmpty() && given.get(0).equals("help")) {
				given.add(given.remove(0).replace("help", "--help"));
			}
			String[] words = flagsWithoutValues(given.toArray(String[]::new));
			return CommandTree.of(surroundings, words).execute(words);
		}
		catch (UsageException ex) {
			surroundings.err().println(ex.getMessage());
			return Mistakes.NOT_UNDERSTOOD;
		}
	}

	/**
	 * Takes booleans as Go's flags are given: {@code --force=true},
	 * {@code --cluster=false}.
	 */
	static String[] flagsWithoutValues(String... args) {
		int end = Arrays.asList(args).indexOf("--");
		return IntStream.range(0, args.length)
			.mapToObj((i) -> (end >= 0 && i >= end) ? args[i] : flagWithoutValue(args[i]))
			.filter(Objects::nonNull)
			.toArray(String[]::new);
	}

	private static @Nullable String flagWithoutValue(String arg) {
		int equals = arg.indexOf('=');
		String name = (equals > 0) ? arg.substring(0, equals) : "";
		if (!NEGATABLE.contains(name) && !PLAIN.contains(name)) {
			return arg;
		}
		String value = arg.substring(equals + 1);
		return switch (value) {
			case "1", "t", "T", "true", "TRUE", "True" -> name;
			case "0", "f", "F", "false", "FALSE", "False" ->
				NEGATABLE.contains(name) ? "--no-" + name.substring(2) : null;
			default -> throw new UsageException(
					"invalid argument \"" + value + "\" for \"" + name + "\": it is true or false");
		};
	}

}
