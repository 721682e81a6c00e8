package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PayloadTextTests {

	@Test
	void showsJsonWithLineBreaksAndWithoutChangingNumbers() {
		PayloadText text = PayloadText
			.of(utf8("{\"a\":1.10,\"b\":123456789012345678901,\"a\":[1e3,\"<b>\",1E400,-0.0,12345678901234567.89]}"));
		assertThat(text.format()).isEqualTo("json");
		assertThat(text.text())
			.contains("1.10", "123456789012345678901", "1e3", "<b>", "1E400", "-0.0", "12345678901234567.89")
			.contains("\n");
		assertThat(text.truncated()).isFalse();
	}

	@Test
	void showsWhatIsNoJsonAsTextOrHex() {
		assertThat(PayloadText.of(utf8("{\"a\":")).format()).isEqualTo("text");
		assertThat(PayloadText.of(utf8("Jürgen 😀\n")).text()).isEqualTo("Jürgen 😀\n");
		PayloadText hex = PayloadText.of(new byte[] { 0, 1, 'A', (byte) 0xFF });
		assertThat(hex.format()).isEqualTo("hex");
		assertThat(hex.text()).startsWith("00000000  00 01 41 ff ").endsWith("..A.\n");
		assertThat(PayloadText.of(utf8("a\u0000b")).format()).isEqualTo("hex");
	}

	@Test
	void showsTheBeginningOfWhatIsLong() {
		byte[] text = utf8("😀".repeat(100_000));
		PayloadText shown = PayloadText.of(text);
		assertThat(shown.format()).isEqualTo("text");
		assertThat(shown.truncated()).isTrue();
		assertThat(shown.text().codePoints().distinct().toArray()).containsExactly("😀".codePointAt(0));
		byte[] binary = new byte[5 * 1024 * 1024];
		assertThat(PayloadText.of(binary).text()).hasSizeLessThan(400_000);
		byte[] json = utf8("[" + "1,".repeat(2_000_000) + "1]");
		assertThat(PayloadText.of(json).format()).isEqualTo("text");
		assertThat(PayloadText.of(json).text()).hasSize(PayloadText.MOST);
	}

	@Test
	void deepOrWideJsonDoesNotGrow() {
		assertThat(PayloadText.of(utf8("[".repeat(30_000) + "]".repeat(30_000))).text()).hasSizeLessThan(70_000);
		assertThat(PayloadText.of(utf8("[" + "[".repeat(400) + "1,".repeat(20_000) + "1" + "]".repeat(401))).text())
			.hasSizeLessThan(300_000);
	}

	@Test
	void previewIsOneShortLine() {
		assertThat(PayloadText.preview(utf8("{\n  \"a\": 1\n}"))).isEqualTo("{ \"a\": 1 }");
		assertThat(PayloadText.preview(utf8("😀".repeat(5000)))).endsWith("…")
			.satisfies((line) -> assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(120));
		assertThat(PayloadText.preview(new byte[] { 0, (byte) 0xFF })).isEqualTo("0x00ff");
		byte[] binary = new byte[1000];
		Arrays.fill(binary, (byte) 0xC0);
		assertThat(PayloadText.preview(binary)).startsWith("0xc0c0").endsWith("…").hasSizeLessThan(60);
		assertThat(PayloadText.preview(new byte[0])).isEmpty();
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
