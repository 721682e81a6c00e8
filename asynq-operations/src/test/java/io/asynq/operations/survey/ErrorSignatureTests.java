package io.asynq.operations.survey;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeout;

class ErrorSignatureTests {

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|', value = {
			"550 5.1.1 <bob@example.com>: Recipient address rejected|550 5.1.1 <<email>>: Recipient address rejected",
			"550-5.7.26 Unauthenticated mail from smtp-17.mail.example.com|550-5.7.26 Unauthenticated mail from smtp-<*>.mail.example.com",
			"mail to bob@example.com failed: 421 4.4.2 connection dropped|mail to <email> failed: 421 4.4.2 connection dropped",
			"dial tcp 10.1.2.3:5432: connect: connection refused|dial tcp <*>: connect: connection refused",
			"read tcp 10.0.0.1:49152->10.1.2.3:5432: i/o timeout|read tcp <*>-><*>: i/o timeout",
			"dial tcp [::1]:6379: timeout after 30s|dial tcp <*>: timeout after <*>",
			"dial tcp: lookup mx7.example.com: no such host|dial tcp: lookup mx<*>.example.com: no such host",
			"smtp.mail.example.com:587 closed|smtp.mail.example.com:<*> closed",
			"web-7f9c4d5b8-x2k9p.default.svc: reset|web-<*>-<*>.default.svc: reset",
			"web-7f9c4d5b8-xkqzp.default.svc: reset|web-<*>-<*>.default.svc: reset",
			"GET https://api.example.com/v1/x: 503|GET https://api.example.com/v<*>/x: 503",
			"unexpected status: 502 Bad Gateway (request a3f9c1)|unexpected status: 502 Bad Gateway (request <*>)",
			"502 Bad Gateway from upstream 17|502 Bad Gateway from upstream <*>",
			"java.io.IOException: Server returned HTTP response code: 503 for URL: https://x.example.com/o/4711|"
					+ "java.io.IOException: Server returned HTTP response code: 503 for URL: https://x.example.com/o/<*>",
			"org.springframework.web.client.HttpClientErrorException$TooManyRequests: 429 Too Many Requests|"
					+ "org.springframework.web.client.HttpClientErrorException$TooManyRequests: 429 Too Many Requests",
			"HTTP/1.1 404 Not Found|HTTP/<*> 404 Not Found", "Too Many Requests (429)|Too Many Requests (429)",
			"{\"error\":{\"code\":502,\"message\":\"no\"}}|{\"error\":{\"code\":502,\"message\":<text>}}",
			"upstream said \"503 Service Unavailable\" to bob|upstream said \"503 Service Unavailable\" to bob",
			"ORA-00001: unique constraint (SHOP.PK_17) violated|ORA-00001: unique constraint (SHOP.PK_<*>) violated",
			"ERROR: deadlock detected (SQLSTATE 40P01)|ERROR: deadlock detected (SQLSTATE 40P01)",
			"SQLSTATE[HY000] [2002] Connection refused|SQLSTATE[HY000] [<*>] Connection refused",
			"DB2 SQL Error: SQLCODE=-803, SQLSTATE=23505|<*> SQL Error: SQLCODE=-803, SQLSTATE=23505",
			"Error 1062 (23000): Duplicate entry 'a-7' for key 'PRIMARY'|Error 1062 (<*>): Duplicate entry <text> for key <text>",
			"E11000 duplicate key error collection: shop.orders|E11000 duplicate key error collection: shop.orders",
			"[Errno 104] Connection reset by peer|[Errno 104] Connection reset by peer",
			"connect() failed (111: Connection refused)|connect() failed (111: Connection refused)",
			"exit status 137|exit status 137",
			"process exited with code 1 after 5 s|process exited with code 1 after <*> s",
			"rejected, code=17, order=4711|rejected, code=17, order=<*>",
			"failed with error code 0x80004005|failed with error code 0x80004005",
			"Status Code: 503, Request ID: 4442587FB7D0A2F9|Status Code: 503, Request ID: <*>",
			"order 4711 not found|order <*> not found", "charge ord_8fK2aZ declined|charge ord_<*> declined",
			"charge ch_3MmlLrLkdIwHu7ix0snN0B15 declined|charge ch_<*> declined",
			"task 01ARZ3NDEKTSV4RRFFQ69G5FAV is gone|task <*> is gone",
			"no task 6ba7b810-9dad-11d1-80b4-00c04fd430c8 here|no task <*> here",
			"object 507f1f77bcf86cd799439011|object <*>", "user \"bob smith\" is unknown|user <text> is unknown",
			"user 'bob' is unknown|user <text> is unknown", "can't open it, won't try|can't open it, won't try",
			"com.acme.Foo@1b2c3d4e failed|com.acme.Foo@<*> failed",
			"java.lang.IllegalStateException: boom|java.lang.IllegalStateException: boom",
			"took 1,234.5 ms at -3|took <*> ms at <*>", "417 ms elapsed, 404 tasks left|<*> ms elapsed, <*> tasks left",
			"template welcome_v2 is missing|template welcome_v<*> is missing",
			"bad since 2026-11-27T10:11:12.345Z|bad since <*>", "dead letter: facade added|dead letter: facade added",
			"id: 417 is unknown|id: <*> is unknown", "  two   blanks|two blanks", "``|``" })
	void masksWhatVariesAndLeavesCodes(String error, String signature) {
		assertThat(ErrorSignature.of(error)).isEqualTo(signature);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mail to %m via smtp-%n.mail.example.com:587 failed: 502 Bad Gateway (request %h)",
			"550 5.1.1 <%m>: user unknown, session %h on mx%n.example.net",
			"dial tcp %i:%p: connect: connection refused after %d (trace %u)",
			"order ord_%b of customer %p: Post https://pay%n.example.com/charges/%h?key=%h: status=503",
			"%h: ORA-00001 at %t on db-%n.internal", "web-%h-%k lost user %m, errno 104" })
	void textsOfOneOutageAreOneGroup(String outage) {
		Random random = new Random(29);
		Set<String> texts = IntStream.range(0, 500).mapToObj((i) -> text(outage, random)).collect(Collectors.toSet());
		assertThat(texts).hasSizeGreaterThan(490);
		assertThat(texts.stream().map(ErrorSignature::of).collect(Collectors.toSet())).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "502 Bad Gateway|503 Service Unavailable|504 Gateway Timeout|500 Internal Server Error",
			"x: 502 y|x: 503 y|x: 504 y", "550 5.1.1 no|550 5.7.1 no|450 5.1.1 no|550 5.1.2 no",
			"HTTP 404 for a|HTTP 410 for a|HTTP 500 for a", "status=404|status=410|status=4",
			"exit code 1|exit code 2|exit code 137", "(SQLSTATE 23505)|(SQLSTATE 40001)|(SQLSTATE 40P01)",
			"ORA-00001: a|ORA-00060: a|ORA-01555: a", "[Errno 104] a|[Errno 111] a|[Errno 32] a",
			"Error 1062: a|Error 1205: a|Error 1213: a", "{\"code\":17}|{\"code\":18}|{\"code\":\"17X\"}",
			"errorCode=17 a|errorCode=18 a|errorCode=0x1F a", "the gateway said \"502\"|the gateway said \"503\"",
			"got 502 from a|got 503 from a", "read (503)|read (504)", "AADSTS50011: a|AADSTS50012: a" })
	void codesTellGroupsApart(String errors) {
		List<String> texts = Arrays.asList(errors.split("\\|"));
		assertThat(texts.stream().map(ErrorSignature::of)).doesNotHaveDuplicates();
	}

	@Test
	void isTheFirstLine() {
		assertThat(ErrorSignature.of("\n boom 1\r\n\tat Foo.java:12")).isEqualTo("boom <*>");
		assertThat(ErrorSignature.of(null)).isEmpty();
	}

	@Test
	void isShortAndQuickWhateverTheError() {
		String pair = "\uD83D\uDE00";
		List<String> errors = new ArrayList<>();
		for (String piece : new String[] { pair, "'a ", "a.", "0", "a1", "\"", "::", "a-", "a@", "@", "1.", "1:", "[:",
				"a:", "{\"a\":", "code ", "code=1 ", "1ms", "f", "bcdfg-", "+/", "%40", "(", ": 5", "9-" }) {
			errors.add(piece.repeat(5000));
			errors.add("x" + piece.repeat(990) + "!");
		}
		errors.add(" ".repeat(9999) + "x");
		for (String error : errors) {
			assertTimeout(Duration.ofSeconds(30),
					() -> assertThat(ErrorSignature.of(error)).hasSizeLessThanOrEqualTo(301));
		}
		assertThatCode(() -> ErrorSignature.of(pair.repeat(500)).codePoints().forEach((point) -> {
			assertThat(Character.isSurrogate((char) point) && point < 0x10000).isFalse();
		})).doesNotThrowAnyException();
	}

	private static String text(String outage, Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < outage.length(); i++) {
			char c = outage.charAt(i);
			text.append((c == '%') ? variable(outage.charAt(++i), random) : c);
		}
		return text.toString();
	}

	private static String variable(char kind, Random random) {
		return switch (kind) {
			case 'm' -> List.of("user", "a.b", "bob+x", "müller").get(random.nextInt(4)) + random.nextInt(9999) + "@"
					+ List.of("example.com", "mail7.example.org", "x-1.example").get(random.nextInt(3));
			case 'n' -> String.valueOf(1 + random.nextInt(700));
			case 'p' -> String.valueOf(1024 + random.nextInt(64000));
			case 'h' -> String.format("%06x", random.nextInt(1 << 24));
			case 'i' -> random.nextInt(256) + "." + random.nextInt(256) + ".0." + random.nextInt(256);
			case 'd' -> List.of("1m30s", "45s", "350ms", "1.5s", "2h45m0.5s").get(random.nextInt(5));
			case 'u' -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
			case 'b' ->
				random.nextInt(10) + of("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789", 15, random);
			case 'k' -> of("bcdfghjklmnpqrstvwxz2456789", 5, random);
			case 't' -> java.time.Instant.ofEpochMilli(Math.abs(random.nextLong() % 4_000_000_000_000L)).toString();
			default -> throw new IllegalArgumentException(String.valueOf(kind));
		};
	}

	private static String of(String letters, int length, Random random) {
		return random.ints(length, 0, letters.length())
			.mapToObj((i) -> String.valueOf(letters.charAt(i)))
			.collect(Collectors.joining());
	}

}
