package io.asynq.console.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is sent of the page's files.
 */
class StaticFilesTests {

	private static final Path SOURCES = Path.of("src/main/resources/io/asynq/console/static");

	/** What is sent besides, which says where it comes from. */
	private static final List<String> NOT_ASKED_FOR = List.of("d.ts", "txt", "md");

	private final StaticFiles files = StaticFiles.load(StaticFilesTests.class.getClassLoader());

	@Test
	void allThatABrowserMayFetchHasAtMost110KibCompressed() throws IOException {
		long sum = 0;
		for (String name : names()) {
			sum += name.equals(StaticFiles.INDEX) ? StaticFiles.zip(source(name)).length
					: sent(name, "gzip").body().length;
		}
		assertThat(sum).isBetween(50_000L, 110 * 1024L);
	}

	@Test
	void commentsAndIndentationAreNotSentAndEachLineKeepsItsNumber() throws IOException {
		for (String name : names()) {
			if (name.startsWith("vendor/") || !(name.endsWith(".js") || name.endsWith(".css"))) {
				continue;
			}
			List<String> source = new String(source(name), StandardCharsets.UTF_8).lines().toList();
			List<String> sent = text(name).lines().toList();
			assertThat(sent).as(name).hasSizeBetween(1, source.size());
			for (int i = 0; i < sent.size(); i++) {
				String line = sent.get(i);
				assertThat(line).as("%s:%d", name, i + 1)
					.isIn("", source.get(i).replaceAll("^\t+|/\\*\\* @type \\{[^*]*\\*/ ?", ""));
				assertThat(line.strip()).as("%s:%d", name, i + 1).doesNotStartWith("//").doesNotStartWith("* ");
				if (line.isEmpty() && !source.get(i).isBlank()) {
					assertThat(source.get(i)).as("%s:%d", name, i + 1).matches("\\s*(//|/\\*|\\*).*|[^;{}=]*\\*/");
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "vendor/preact.js", "vendor/uPlot.js", "vendor/htm.js", "icon.svg" })
	void whatOthersHavePublishedIsSentAsItIs(String name) throws IOException {
		assertThat(sent(name, null).body()).isEqualTo(source(name));
	}

	@Test
	void whatLooksLikeACommentWithinALineIsCode() {
		assertThat(text("comments.js").lines()).containsExactly("const before = 'https://host/*';", "", "", "",
				"call((before)); // after code", "(before).go(1 /* one */);", "", "", "const star = 2 * 3; /* two",
				"lines */");
	}

	private String text(String name) {
		return new String(sent(name, null).body(), StandardCharsets.UTF_8);
	}

	private ConsoleResponse sent(String name, String encoding) {
		ConsoleResponse answer = this.files.answer(this.files.prefix().substring("assets/".length()) + name, encoding);
		assertThat(answer.status()).as(name).isEqualTo(200);
		return answer;
	}

	private static byte[] source(String name) throws IOException {
		return Files.readAllBytes(SOURCES.resolve(name));
	}

	private static List<String> names() throws IOException {
		try (Stream<Path> all = Files.walk(SOURCES)) {
			return all.filter(Files::isRegularFile)
				.map((file) -> SOURCES.relativize(file).toString().replace('\\', '/'))
				.filter((name) -> NOT_ASKED_FOR.stream().noneMatch((ending) -> name.endsWith("." + ending)))
				.toList();
		}
		catch (UncheckedIOException ex) {
			throw ex.getCause();
		}
	}

}
