package io.asynq.cli.connect;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.asynq.cli.terminal.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * Values of flags: from the command line, else from a variable {@code ASYNQ_…}, else from
 * the file. Variables without the prefix do not count, since many systems set USERNAME.
 */
public final class Settings {

	/** Names of values that a file may have. */
	static final Set<String> NAMES = Set.of("uri", "db", "password", "username", "cluster", "cluster_addrs", "tls",
			"tls_server", "insecure", "output", "yes");

	private final Map<String, String> flags;

	private final Map<String, String> variables;

	private final Map<String, String> file;

	/**
	 * @param flags what the command line says
	 * @param variables the environment
	 * @param file what the file says
	 */
	public Settings(Map<String, String> flags, Map<String, String> variables, Map<String, String> file) {
		this.flags = flags;
		this.variables = variables;
		this.file = file;
	}

	/** Returns a value. */
	public @Nullable String find(String name) {
		return switch (rank(name)) {
			case 0 -> this.flags.get(name);
			case 1 -> this.variables.get(variable(name));
			default -> this.file.get(name);
		};
	}

	String get(String name, String fallback) {
		String value = find(name);
		return (value != null) ? value : fallback;
	}

	/** Returns whether a flag is on. */
	public boolean isOn(String name) {
		String value = get(name, "false").toLowerCase(Locale.ROOT);
		return switch (value) {
			case "true", "t", "1" -> true;
			case "false", "f", "0" -> false;
			default -> throw new UsageException(origin(name) + " must be true or false, but is '" + value + "'");
		};
	}

	int number(String name, int fallback) {
		String value = find(name);
		if (value == null) {
			return fallback;
		}
		try {
			int number = Integer.parseInt(value);
			if (number >= 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// Told below
		}
		throw new UsageException(origin(name) + " must be a whole number from 0, but is '" + value + "'");
	}

	/** Returns how near to the user a value comes from: the lower, the nearer. */
	int rank(String name) {
		String variable = this.variables.get(variable(name));
		return this.flags.containsKey(name) ? 0
				: (variable != null && !variable.isEmpty()) ? 1 : this.file.containsKey(name) ? 2 : 3;
	}

	/** Says where a value comes from, for errors. */
	String origin(String name) {
		return switch (rank(name)) {
			case 0 -> "--" + name;
			case 1 -> variable(name);
			default -> "'" + name + "' in the configuration file";
		};
	}

	static String variable(String name) {
		return "ASYNQ_" + name.toUpperCase(Locale.ROOT);
	}

}
