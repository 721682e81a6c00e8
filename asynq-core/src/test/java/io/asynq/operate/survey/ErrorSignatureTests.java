package io.asynq.operate.survey;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeout;

class ErrorSignatureTests {

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|',
			value = {
					"dial tcp 10.1.2.3:5432: connect: connection refused|dial tcp <host>: connect: connection refused",
					"dial tcp [::1]:6379: timeout after 30s|dial tcp <host>: timeout after <n>s",
					"order 4711 not found|order <n> not found", "user \"bob smith\" is unknown|user <text> is unknown",
					"user 'bob' is unknown|user <text> is unknown", "can't open it, won't try|can't open it, won't try",
					"no task 6ba7b810-9dad-11d1-80b4-00c04fd430c8 here|no task <uuid> here",
					"smtp.mail.example.com:587 closed|<host> closed",
					"GET https://api.example.com/v1/x: 503|GET https://<host>/v<n>/x: <n>",
					"java.lang.IllegalStateException: boom|java.lang.IllegalStateException: boom",
					"com.acme.Foo@1b2c3d4e failed|com.acme.Foo<hex> failed", "took 1,234.5 ms at -3|took <n> ms at <n>",
					"object 507f1f77bcf86cd799439011|object <hex>", "  two   blanks|two blanks", "``|``" })
	void masksWhatVaries(String error, String signature) {
		assertThat(ErrorSignature.of(error)).isEqualTo(signature);
	}

	@Test
	void isTheFirstLine() {
		assertThat(ErrorSignature.of("\n boom 1\r\n\tat Foo.java:12")).isEqualTo("boom <n>");
		assertThat(ErrorSignature.of(null)).isEmpty();
	}

	@Test
	void isShortAndQuickWhateverTheError() {
		String pair = "\uD83D\uDE00";
		for (String error : new String[] { pair.repeat(5000), "'a ".repeat(5000), "a.".repeat(5000), "0".repeat(9999),
				"a1".repeat(5000), "\"".repeat(5001), "::".repeat(5000), "a-".repeat(5000), " ".repeat(9999) + "x" }) {
			assertTimeout(Duration.ofSeconds(30),
					() -> assertThat(ErrorSignature.of(error)).hasSizeLessThanOrEqualTo(301));
		}
		assertThatCode(() -> ErrorSignature.of(pair.repeat(500)).codePoints().forEach((point) -> {
			assertThat(Character.isSurrogate((char) point) && point < 0x10000).isFalse();
		})).doesNotThrowAnyException();
	}

}
