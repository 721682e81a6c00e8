package io.asynq.cli.dash;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How bytes are shown.
 */
class PayloadTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "12345678901234567890.120", "1E400", "-0.0", "1e3", "1.10", "123456789012345678901" })
	void indentsJsonAndKeepsItsNumbers(String number) {
		PayloadText text = of("{\"n\":" + number + ",\"list\":[]}");
		assertThat(text.format()).isEqualTo("JSON");
		assertThat(text.lines()).first().isEqualTo("{");
		assertThat(text.lines()).anyMatch((line) -> line.contains(" " + number + ","));
	}

	@Test
	void takesBrokenJsonForText() {
		assertThat(of("{\"n\":").format()).isEqualTo("text");
		assertThat(of("{\"n\":").lines()).containsExactly("{\"n\":");
		assertThat(of("one\n\ttwo").lines()).containsExactly("one", "    two");
	}

	@Test
	void showsWhatIsNotTextInHexadecimal() {
		for (byte[] bytes : new byte[][] { { 1, 'a', (byte) 0xff }, "a\u001b[31m".getBytes(StandardCharsets.UTF_8),
				{ (byte) 0xc3 } }) {
			assertThat(PayloadText.of(bytes).format()).isEqualTo("hex");
		}
		assertThat(PayloadText.of(new byte[] { 1, 'a', (byte) 0xff }).lines()).singleElement()
			.asString()
			.startsWith("000000  01 61 ff ")
			.endsWith("  .a.");
		assertThat(PayloadText.preview(new byte[] { 1, (byte) 0xff })).isEqualTo("0x01ff");
	}

	@Test
	void showsTheBeginningOfALargeOne() {
		byte[] large = new byte[5_000_000];
		Arrays.fill(large, (byte) 'x');
		// The limit cuts through a character
		System.arraycopy("é".getBytes(StandardCharsets.UTF_8), 0, large, PayloadText.MOST - 1, 2);
		PayloadText text = PayloadText.of(large);
		assertThat(text.format()).isEqualTo("text, the first 64.0KiB of 4.8MiB");
		assertThat(text.lines()).singleElement().asString().hasSize(PayloadText.MOST - 1);
		assertThat(PayloadText.preview(large)).hasSize(512);
	}

	@Test
	void saysThatThereIsNone() {
		assertThat(PayloadText.of(null).format()).isEqualTo("empty");
		assertThat(PayloadText.preview(new byte[0])).isEmpty();
	}

	private static PayloadText of(String text) {
		return PayloadText.of(text.getBytes(StandardCharsets.UTF_8));
	}

}
