package io.asynq.interop.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What counts as a test that a row may name, and what only looks like one.
 */
class TestSourcesTests {

	private static final String SOURCE = """
			class SomeTests extends MoreTests {

				@RegisterExtension
				final Extension extension = new Extension(
						"more");

				void aHelperAfterAField() {
				}

				@BeforeEach
				void seed() {
				}

				@Test
				void plain() {
				}

				void aHelperAfterATest() {
				}

				@Override
				public void close() {
				}

				@ParameterizedTest
				@CsvSource(textBlock = \"""
						a, b

						@Test
						\""")
				@Timeout(5)
				public void withATextBlock(String a, String b) {
				}

				@Disabled("some day")
				@Test
				void disabled() {
				}

				@Test
				@Disabled
				void disabledToo() {
				}

				private void calls() {
					withATextBlock("", "");
				}

				@ArchTest
				static final ArchRule rule = rule();

				static final ArchRule noRule = rule();

				@Nested
				class Inner {

					@Test
					void nested() {
					}

					void aHelperOfTheNested() {
					}

				}

			}
			""";

	@TempDir
	Path repository;

	@BeforeEach
	void write() throws IOException {
		write("SomeTests", SOURCE);
		write("MoreTests", "abstract class MoreTests {\n\n\t@Test\n\tvoid inherited() {\n\t}\n\n}\n");
		write("OffTests", "@Disabled\nclass OffTests {\n\n\t@Test\n\tvoid off() {\n\t}\n\n}\n");
		write("Fixture", "class Fixture {\n\n\t// No @Test here\n\tvoid prepare() {\n\t}\n\n}\n");
	}

	@ParameterizedTest
	@CsvSource({ "SomeTests", "MoreTests", "SomeTests#plain", "SomeTests#withATextBlock", "SomeTests#inherited",
			"MoreTests#inherited", "SomeTests#rule", "SomeTests#nested" })
	void recognizesTests(String name) {
		assertThat(new TestSources(this.repository).exists(name)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "SomeTests#seed", "SomeTests#aHelperAfterAField", "SomeTests#aHelperAfterATest", "SomeTests#close",
			"SomeTests#disabled", "SomeTests#disabledToo", "SomeTests#calls", "SomeTests#noRule",
			"SomeTests#aHelperOfTheNested", "SomeTests#none", "OffTests", "OffTests#off", "Fixture", "Fixture#prepare",
			"NoSuchTests" })
	void recognizesNonTests(String name) {
		assertThat(new TestSources(this.repository).exists(name)).isFalse();
	}

	@Test
	void findsNothingInEmptyDirectory() {
		assertThat(new TestSources(this.repository.resolve("module")).exists("SomeTests")).isFalse();
	}

	private void write(String name, String source) throws IOException {
		Path directory = Files.createDirectories(this.repository.resolve("module/src/test/java/some"));
		Files.writeString(directory.resolve(name + ".java"), source);
	}

}
