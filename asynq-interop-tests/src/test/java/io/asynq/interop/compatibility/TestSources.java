package io.asynq.interop.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The tests of all modules, as they stand in the source trees: the module that reads them
 * cannot load the classes of the others.
 */
final class TestSources {

	private static final Pattern TEST = Pattern
		.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory|Property|ArchTest)\\b");

	private static final Pattern PARENT = Pattern.compile("\\bclass\\s+\\w+(?:<[^>]*>)?\\s+extends\\s+(\\w+)");

	/** Two packages may have a class of the same name. */
	private final Map<String, List<String>> sources = new HashMap<>();

	/**
	 * Reads the sources.
	 * @param repository the directory of all modules
	 */
	TestSources(Path repository) {
		try (Stream<Path> modules = Files.list(repository)) {
			modules.map((module) -> module.resolve("src/test/java")).filter(Files::isDirectory).forEach(this::read);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns whether there is such a test.
	 * @param name a class that has tests, or Class#method; both may be inherited. Methods
	 * of tests are neither private nor static nor return anything, rules are of type
	 * ArchRule
	 * @return whether there is
	 */
	boolean exists(String name) {
		String[] parts = name.split("#", 2);
		return exists(parts[0], (parts.length > 1) ? parts[1] : null);
	}

	private boolean exists(String name, @Nullable String method) {
		return this.sources.getOrDefault(name, List.of()).stream().anyMatch((source) -> {
			if ((method == null) ? TEST.matcher(source).find() : declares(source, method)) {
				return true;
			}
			Matcher parent = PARENT.matcher(source);
			return parent.find() && exists(parent.group(1), method);
		});
	}

	private void read(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			List<Path> classes = files.filter((file) -> file.toString().endsWith(".java")).toList();
			for (Path file : classes) {
				String name = String.valueOf(file.getFileName());
				this.sources
					.computeIfAbsent(name.substring(0, name.length() - ".java".length()), (key) -> new ArrayList<>())
					.add(Files.readString(file));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean declares(String source, String name) {
		String quoted = Pattern.quote(name);
		return Pattern.compile("(?m)^\\t+(public )?void " + quoted + "\\(|\\bArchRule " + quoted + "\\b")
			.matcher(source)
			.find();
	}

}
