package io.asynq.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sources of the page: vendored files as published, nothing inline, nothing from
 * elsewhere.
 */
class ConsoleFilesTests {

	private static final Path STATIC = Path.of("src/main/resources/io/asynq/console/static");

	private static final Pattern VENDORED = Pattern
		.compile("\\| `(\\S+)` \\|.*`(LICENSE\\S+)` \\| `([0-9a-f]{64})` \\|");

	private static final Pattern AT_ONCE = Pattern.compile("(?m)^(?:import|export)\\b[^;'\"]*'(\\.[^']+)'");

	private static final Pattern LATER = Pattern.compile("\\bimport\\('(\\.[^']+)'\\)");

	@Test
	void vendoredFilesAreThoseOfTheirList() throws Exception {
		List<MatchResult> rows = VENDORED.matcher(Files.readString(STATIC.resolve("vendor/README.md")))
			.results()
			.toList();
		for (MatchResult row : rows) {
			assertThat(sha256(STATIC.resolve("vendor").resolve(row.group(1)))).as(row.group(1)).isEqualTo(row.group(3));
			assertThat(STATIC.resolve("vendor").resolve(row.group(2))).isNotEmptyFile();
		}
		assertThat(rows).extracting((row) -> row.group(1))
			.containsExactlyInAnyOrderElementsOf(
					names(STATIC.resolve("vendor")).filter((name) -> name.endsWith(".css") || name.endsWith(".js"))
						.toList());
	}

	@Test
	void nothingIsInlineSoThatThePolicyCanForbidIt() throws Exception {
		String page = Files.readString(STATIC.resolve("index.html"));
		assertThat(page).doesNotContain("style=", "<style", " on", "javascript:");
		assertThat(Pattern.compile("<script(?![^>]*(src=|application/json))").matcher(page).find()).isFalse();
		assertThat(filesWith("\\beval\\(|new Function")).isEmpty();
		assertThat(filesWith("dangerouslySetInnerHTML|innerHTML\\s*=").filter((file) -> !isVendored(file))).isEmpty();
	}

	@Test
	void nothingIsFetchedFromAnotherHostOrByAnAbsolutePath() throws Exception {
		assertThat(filesWith(
				"(href|src|action)=[\"'`](https?:|//|/)|(fetch|import|EventSource|url)\\(\\s*[\"'`]?(https?:|//|/)|@import")
			.filter((file) -> !isVendored(file))).isEmpty();
	}

	@Test
	void everyTextThatIsAskedForIsThere() throws Exception {
		String messages = Files.readString(STATIC.resolve("messages.js"));
		Pattern key = Pattern.compile("\\bt\\('(\\w+)\\.(\\w+)'");
		for (Path file : files("js")) {
			key.matcher(Files.readString(file)).results().forEach((found) -> {
				String text = "(?s)\\n\\t" + found.group(1) + ": \\{(?:(?!\\n\\t\\}).)*\\b" + found.group(2) + "'?: ";
				assertThat(Pattern.compile(text).matcher(messages).find()).as("%s asks for %s", file, found.group())
					.isTrue();
			});
		}
	}

	@Test
	void noModuleImportsItselfByADetour() throws Exception {
		Map<Path, List<Path>> imports = new TreeMap<>();
		for (Path file : files("js")) {
			imports.put(file.normalize(), imports(file, Files.readString(file), AT_ONCE, LATER));
		}
		assertThat(circle(imports)).isEmpty();
	}

	@Test
	void aCircleOfImportsIsFoundHoweverLongItIs() {
		Path a = Path.of("a.js");
		Path b = Path.of("b.js");
		Path c = Path.of("c.js");
		assertThat(circle(Map.of(a, List.of(b, c), b, List.of(c), c, List.of()))).isEmpty();
		assertThat(circle(Map.of(a, List.of(a)))).containsExactly(a, a);
		assertThat(circle(new TreeMap<>(Map.of(a, List.of(b), b, List.of(c), c, List.of(b))))).containsExactly(b, c, b);
		assertThat(imports(Path.of("app/x/y.js"),
				"import { a } from '../b.js';\nimport './c.js';\n/** {import('./e.js').E} */\n() => import('./d.js')",
				AT_ONCE, LATER))
			.containsExactly(Path.of("app/b.js"), Path.of("app/x/c.js"), Path.of("app/x/d.js"));
	}

	@Test
	void thePageTellsTheBrowserAllModulesThatItsFirstOneNeeds() throws Exception {
		Path first = STATIC.resolve("app/main.js");
		Set<Path> needed = new TreeSet<>();
		Deque<Path> next = new ArrayDeque<>(List.of(first));
		while (!next.isEmpty()) {
			Path file = next.pop();
			if (needed.add(file)) {
				next.addAll(imports(file, Files.readString(file), AT_ONCE));
			}
		}
		needed.remove(first);
		assertThat(Pattern.compile("<link rel=\"modulepreload\" href=\"\\{\\{assets}}([^\"]+)\">")
			.matcher(Files.readString(STATIC.resolve("index.html")))
			.results()
			.map((found) -> STATIC.resolve(found.group(1)))).hasSizeGreaterThan(15).containsExactlyElementsOf(needed);
	}

	@Test
	void linesAreShortEnoughToBeRead() throws Exception {
		for (Path file : files("html", "css", "js")) {
			if (!isVendored(file)) {
				assertThat(Files.readAllLines(file)).as(file.toString())
					.allSatisfy((line) -> assertThat(line.replace("\t", "    ")).hasSizeLessThanOrEqualTo(140));
			}
		}
	}

	/** The first way from a module back to itself. */
	private static List<Path> circle(Map<Path, List<Path>> imports) {
		Set<Path> done = new HashSet<>();
		return imports.keySet()
			.stream()
			.map((file) -> circle(imports, new ArrayList<>(), file, done))
			.filter((found) -> !found.isEmpty())
			.findFirst()
			.orElse(List.of());
	}

	private static List<Path> circle(Map<Path, List<Path>> imports, List<Path> way, Path file, Set<Path> done) {
		int before = way.indexOf(file);
		way.add(file);
		if (before >= 0) {
			return List.copyOf(way.subList(before, way.size()));
		}
		for (Path next : done.contains(file) ? List.<Path>of() : imports.getOrDefault(file, List.of())) {
			List<Path> found = circle(imports, way, next, done);
			if (!found.isEmpty()) {
				return found;
			}
		}
		way.remove(way.size() - 1);
		done.add(file);
		return List.of();
	}

	private static List<Path> imports(Path file, String source, Pattern... how) {
		return Stream.of(how)
			.flatMap((one) -> one.matcher(source.replaceAll("(?s)/\\*.*?\\*/", "")).results())
			.map((found) -> file.resolveSibling(found.group(1)).normalize())
			.toList();
	}

	private static Stream<Path> filesWith(String pattern) throws IOException {
		Pattern compiled = Pattern.compile(pattern);
		return files("html", "css", "js").stream().filter((file) -> compiled.matcher(text(file)).find());
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isVendored(Path file) {
		return file.startsWith(STATIC.resolve("vendor"));
	}

	private static List<Path> files(String... endings) throws IOException {
		try (Stream<Path> all = Files.walk(STATIC)) {
			return all.filter(Files::isRegularFile)
				.filter((file) -> Stream.of(endings).anyMatch((ending) -> file.toString().endsWith("." + ending)))
				.toList();
		}
	}

	private static Stream<String> names(Path folder) throws IOException {
		try (Stream<Path> all = Files.list(folder)) {
			return all.map((file) -> file.getFileName().toString()).toList().stream();
		}
	}

	private static String sha256(Path file) throws Exception {
		return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
	}

}
