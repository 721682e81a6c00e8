package io.asynq.interop.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The tests of all modules, read from the source trees, because this module cannot load
 * the classes of all others.
 */
final class TestSources {

	private static final Pattern TEST = Pattern
		.compile("^\\t+@(Test|ParameterizedTest|RepeatedTest|Property|ArchTest)\\b.*");

	private static final Pattern OFF = Pattern.compile("^\\t*@Disabled.*");

	private static final Pattern PARENT = Pattern.compile("\\bclass\\s+\\w+(?:<[^>]*>)?\\s+extends\\s+(\\w+)");

	/** Two packages may have a class of the same name. */
	private final Map<String, List<List<String>>> sources = new HashMap<>();

	/**
	 * Reads the sources.
	 * @param repository the directory of all modules, some of which are in {@code proof}
	 */
	TestSources(Path repository) {
		readModules(repository);
		if (Files.isDirectory(repository.resolve("proof"))) {
			readModules(repository.resolve("proof"));
		}
	}

	private void readModules(Path parent) {
		try (Stream<Path> modules = Files.list(parent)) {
			modules.map((module) -> module.resolve("src/test/java")).filter(Files::isDirectory).forEach(this::read);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns whether a test exists. Test methods return nothing and rules are of type
	 * ArchRule; each has an annotation of a test, and neither it nor its class is
	 * disabled.
	 * @param name a class with tests, or Class#method; both may be inherited
	 */
	boolean exists(String name) {
		String[] parts = name.split("#", 2);
		return exists(parts[0], (parts.length > 1) ? parts[1] : null);
	}

	private boolean exists(String name, @Nullable String method) {
		return this.sources.getOrDefault(name, List.of()).stream().anyMatch((source) -> {
			if (source.stream().anyMatch((line) -> line.startsWith("@Disabled"))) {
				return false;
			}
			if ((method == null) ? source.stream().anyMatch((line) -> TEST.matcher(line).matches())
					: declares(source, method)) {
				return true;
			}
			return parent(source).filter((parent) -> exists(parent, method)).isPresent();
		});
	}

	private void read(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			List<Path> classes = files.filter((file) -> file.toString().endsWith(".java")).toList();
			for (Path file : classes) {
				String name = String.valueOf(file.getFileName());
				this.sources
					.computeIfAbsent(name.substring(0, name.length() - ".java".length()), (key) -> new ArrayList<>())
					.add(Files.readAllLines(file));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Optional<String> parent(List<String> source) {
		Matcher parent = PARENT.matcher(String.join("\n", source));
		return parent.find() ? Optional.of(parent.group(1)) : Optional.empty();
	}

	private static boolean declares(List<String> source, String name) {
		Pattern declaration = Pattern
			.compile("(\\t+)(?:public )?(?:void %1$s\\(|(?:static )?(?:final )?ArchRule %1$s\\b).*"
				.formatted(Pattern.quote(name)));
		return IntStream.range(0, source.size()).anyMatch((line) -> {
			Matcher declared = declaration.matcher(source.get(line));
			return declared.matches() && isTest(annotations(source.subList(0, line), declared.group(1)));
		});
	}

	/**
	 * Finds the lines directly above a member. Lines that are indented further, or blank
	 * as in a text block, belong to the annotation before them.
	 */
	private static List<String> annotations(List<String> above, String indent) {
		List<String> annotations = new ArrayList<>();
		for (int line = above.size() - 1; line >= 0; line--) {
			String text = above.get(line);
			if (text.startsWith(indent + "@")) {
				annotations.add(text);
			}
			else if (!text.isBlank() && !text.startsWith(indent + "\t")) {
				break;
			}
		}
		return annotations;
	}

	private static boolean isTest(List<String> annotations) {
		return annotations.stream().anyMatch((line) -> TEST.matcher(line).matches())
				&& annotations.stream().noneMatch((line) -> OFF.matcher(line).matches());
	}

}
