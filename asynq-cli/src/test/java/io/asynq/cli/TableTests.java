package io.asynq.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTests {

	@Test
	void padsColumnsByCharacters() {
		StringWriter out = new StringWriter();
		new Table("ID", "Type").row("1", "ключ")
			.row("\uD83D\uDE80\uD83D\uDE80\uD83D\uDE80", "x")
			.print(new PrintWriter(out));
		assertThat(out).hasToString("""
				ID   Type \s
				--   ---- \s
				1    ключ \s
				\uD83D\uDE80\uD83D\uDE80\uD83D\uDE80  x    \s
				""");
	}

	@Test
	void showsBytesAsGoDoes() {
		assertThat(Cell.bytes("{\"a\":1}".getBytes(StandardCharsets.UTF_8))).isEqualTo("{\"a\":1}");
		assertThat(Cell.bytes("two\nlines".getBytes(StandardCharsets.UTF_8))).isEqualTo("non-printable bytes");
		assertThat(Cell.bytes(new byte[] { (byte) 0xFF })).isEqualTo("non-printable bytes");
		assertThat(Cell.bytes("  ".getBytes(StandardCharsets.UTF_8))).isEqualTo("non-printable bytes");
		assertThat(Cell.bytes(null)).isEqualTo("non-printable bytes");
		assertThat(Cell.bytes(new byte[0])).isEqualTo("non-printable bytes");
	}

	@Test
	void showsNamesThatCannotBePrintedInQuotes() {
		assertThat(Cell.text("plain \"name\"")).isEqualTo("plain \"name\"");
		assertThat(Cell.text("a\tb\u001b")).isEqualTo("\"a\\tb\\x1b\"");
		assertThat(Cell.text(null)).isEmpty();
	}

}
