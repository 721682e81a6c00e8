package io.asynq.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Values of flags: from the command line, else from a variable {@code ASYNQ_…}, else from
 * the file. Variables without the prefix do not count, since many systems set USERNAME.
 */
record Settings(Map<String, String> flags, Map<String, String> variables, Map<String, String> file) {

	private static final Set<String> NAMES = Set.of("uri", "db", "password", "username", "cluster", "cluster_addrs",
			"tls", "tls_server", "insecure", "output", "yes");

	private static final List<String> FILES = List.of(".asynq.yaml", ".asynq.yml", ".asynq.json");

	@Nullable String find(String name) {
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

	boolean isOn(String name) {
		String value = get(name, "false").toLowerCase(Locale.ROOT);
		return switch (value) {
			case "true", "t", "1" -> true;
			case "false", "f", "0" -> false;
			default -> throw new UsageException(origin(name) + " must be true or false, but is '" + value + "'");
		};
	}

	/** Returns how near to the user a value comes from: the lower, the nearer. */
	int rank(String name) {
		String variable = this.variables.get(variable(name));
		return this.flags.containsKey(name) ? 0
				: (variable != null && !variable.isEmpty()) ? 1 : this.file.containsKey(name) ? 2 : 3;
	}

	String origin(String name) {
		return switch (rank(name)) {
			case 0 -> "--" + name;
			case 1 -> variable(name);
			default -> "'" + name + "' in the configuration file";
		};
	}

	private static String variable(String name) {
		return "ASYNQ_" + name.toUpperCase(Locale.ROOT);
	}

	/**
	 * Reads the given file, or the first of those in the home directory that exists, in
	 * YAML or JSON; names that are no flags are ignored, as in Go.
	 */
	static Map<String, String> readFile(@Nullable String given, Path home) {
		Path file = (given != null) ? Path.of(given)
				: FILES.stream().map(home::resolve).filter(Files::isRegularFile).findFirst().orElse(null);
		if (file == null) {
			return Map.of();
		}
		try (Reader reader = Files.newBufferedReader(file)) {
			Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
			if (content != null && !(content instanceof Map)) {
				throw new UsageException("Configuration file " + file + " must have lines like 'uri: 127.0.0.1:6379'");
			}
			return (content instanceof Map<?, ?> entries) ? values(file, entries) : Map.of();
		}
		catch (IOException ex) {
			throw new UsageException("Configuration file " + file + " cannot be read: " + ex.getMessage());
		}
		catch (YAMLException ex) {
			// Its whole message would quote lines, which may have a password
			throw new UsageException("Configuration file " + file + " is not valid YAML");
		}
	}

	private static Map<String, String> values(Path file, Map<?, ?> entries) {
		Map<String, String> values = new LinkedHashMap<>();
		entries.forEach((key, value) -> {
			String name = String.valueOf(key).toLowerCase(Locale.ROOT);
			if (value == null || !NAMES.contains(name)) {
				return;
			}
			if (value instanceof Map || value instanceof List) {
				throw new UsageException("'" + name + "' in configuration file " + file + " must be one value");
			}
			values.put(name, value.toString());
		});
		return values;
	}

}
