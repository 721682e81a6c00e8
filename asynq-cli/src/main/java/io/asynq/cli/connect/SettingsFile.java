package io.asynq.cli.connect;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.cli.terminal.UsageException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The file with default values of flags, in YAML or JSON.
 */
public final class SettingsFile {

	private static final List<String> NAMES = List.of(".asynq.yaml", ".asynq.yml", ".asynq.json");

	private SettingsFile() {
	}

	/**
	 * Reads a file. Names that are no flags are ignored, as in Go.
	 * @param given the file, {@code null} for the first of those in the home directory
	 * that exists
	 * @return values by name of flag
	 * @throws UsageException if the given file is missing, or a file cannot be read
	 */
	public static Map<String, String> read(@Nullable String given, Path home) {
		if (given != null) {
			return read(Path.of(given));
		}
		for (String name : NAMES) {
			Path file = home.resolve(name);
			if (Files.isRegularFile(file)) {
				return read(file);
			}
		}
		return Map.of();
	}

	private static Map<String, String> read(Path file) {
		try (Reader reader = Files.newBufferedReader(file)) {
			Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
			if (content == null) {
				return Map.of();
			}
			if (content instanceof Map<?, ?> entries) {
				return values(file, entries);
			}
			throw new UsageException("Configuration file " + file + " must have lines like 'uri: 127.0.0.1:6379'");
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
			if (value == null || !Settings.NAMES.contains(name)) {
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
