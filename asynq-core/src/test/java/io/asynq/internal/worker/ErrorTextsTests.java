package io.asynq.internal.worker;

import java.util.stream.Stream;

import io.asynq.AsynqException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ErrorTextsTests {

	@Test
	void ownErrorsHaveMessageOthersHaveClassToo() {
		assertThat(ErrorTexts.describe(new AsynqException("boom", null))).isEqualTo("boom");
		assertThat(ErrorTexts.describe(new IllegalStateException("boom")))
			.isEqualTo("java.lang.IllegalStateException: boom");
	}

	@ParameterizedTest
	@MethodSource("errorsThatQuote")
	void quotationOfParserIsLeftOutButNotItsClass(Throwable error) {
		assertThat(error.toString()).contains("geheim4711");
		assertThat(ErrorTexts.describe(error)).doesNotContain("geheim4711").contains("left out");
	}

	@Test
	void onlyErrorWithPartOfParserIsCopied() {
		IllegalStateException plain = new IllegalStateException("boom", new AsynqException("why"));
		assertThat(ErrorTexts.quoteFree(plain)).isSameAs(plain);
		JacksonException parser = catchThrowableOfType(JacksonException.class,
				() -> JsonMapper.shared().readTree("geheim4711"));
		plain.addSuppressed(parser);
		Throwable copy = ErrorTexts.quoteFree(plain);
		assertThat(copy.getClass().getSimpleName()).as("see docs/observability.md").isEqualTo("RedactedError");
		assertThat(copy).hasMessage("java.lang.IllegalStateException: boom");
		assertThat(copy.getCause()).hasMessage("why");
		assertThat(copy.getStackTrace()).isEqualTo(plain.getStackTrace());
		assertThat(copy.getSuppressed()).singleElement()
			.satisfies((shown) -> assertThat(shown.toString()).contains("left out").doesNotContain("geheim4711"));
	}

	@Test
	void hugeMessageIsCutBeforeCopying() {
		String huge = "x".repeat(100_000);
		assertThat(ErrorTexts.describe(new IllegalStateException(huge))).hasSize(10_001)
			.startsWith("java.lang.IllegalStateException: xxx");
		assertThat(ErrorTexts.describe(new AsynqException(huge))).hasSize(10_001);
	}

	@Test
	void cutQuotationIsLeftOut() {
		JacksonException parser = catchThrowableOfType(JacksonException.class,
				() -> JsonMapper.shared().readTree("geheim4711"));
		String text = ErrorTexts.describe(new IllegalStateException("x".repeat(9_900) + parser.getMessage(), parser));
		assertThat(text).isEqualTo("java.lang.IllegalStateException: "
				+ "(what the parser says may quote the payload, so it is left out)");
	}

	static Stream<Throwable> errorsThatQuote() {
		JacksonException parser = catchThrowableOfType(JacksonException.class,
				() -> JsonMapper.shared().readTree("geheim4711"));
		return Stream.of(parser, new IllegalArgumentException(parser),
				new IllegalStateException("import failed: " + parser.getMessage(), parser),
				new AsynqException("import failed: " + parser.getMessage(), new IllegalArgumentException(parser)));
	}

}
