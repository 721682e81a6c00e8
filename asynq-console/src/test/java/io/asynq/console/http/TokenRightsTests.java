package io.asynq.console.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TokenRightsTests {

	private static final String TOKEN = "0123456789abcdef";

	private Instant now = Instant.parse("2026-01-01T00:00:00Z");

	private final InstantSource clock = () -> this.now;

	private final TokenRights fixed = TokenRights.fixed(TOKEN, this.clock);

	@Test
	void passLetsInUntilItsEnd() {
		String pass = this.fixed.exchange(TOKEN);
		assertThat(letsIn(this.fixed, pass)).isTrue();
		this.now = this.now.plus(TokenPage.LIFE).minusSeconds(1);
		assertThat(letsIn(this.fixed, pass)).isTrue();
		this.now = this.now.plusSeconds(1);
		assertThat(letsIn(this.fixed, pass)).isFalse();
	}

	@Test
	void passMayBeQuoted() {
		assertThat(letsIn(this.fixed, '"' + this.fixed.exchange(TOKEN) + '"')).isTrue();
	}

	@Test
	void everyInstanceWithTheTokenKnowsThePass() {
		String pass = this.fixed.exchange(TOKEN);
		assertThat(letsIn(TokenRights.fixed(TOKEN, this.clock), pass)).isTrue();
		assertThat(letsIn(TokenRights.fixed(TOKEN + "x", this.clock), pass)).isFalse();
		assertThat(letsIn(TokenRights.once(this.clock), pass)).isFalse();
	}

	@Test
	void passIsFoundAmongThoseOfOtherApplications() {
		String pass = this.fixed.exchange(TOKEN);
		assertThat(letsIn(this.fixed, "nonsense",
				TokenRights.fixed("another-token-16", this.clock).exchange("another-token-16"), pass))
			.isTrue();
	}

	static Stream<String> forged() {
		String mac = "A".repeat(43);
		return Stream.of("", ".", TOKEN, "9999999999." + mac, "9999999999999999999999." + mac, "-1." + mac,
				"9999999999." + mac + "=", "9999999999.", "٩٩٩٩." + mac);
	}

	@ParameterizedTest
	@MethodSource("forged")
	void forgedPassLetsNobodyIn(String pass) {
		assertThat(letsIn(this.fixed, pass)).isFalse();
	}

	@Test
	void passWithALaterEndIsForged() {
		String pass = this.fixed.exchange(TOKEN);
		assertThat(letsIn(this.fixed, "9" + pass)).isFalse();
		assertThat(letsIn(this.fixed, pass.replaceFirst("\\d\\.", "9."))).isFalse();
	}

	@Test
	void shownTokenIsTakenOnce() {
		TokenRights once = TokenRights.once(this.clock);
		String token = String.valueOf(once.shownToken());
		assertThat(token).matches("[A-Za-z0-9_-]{43}").isNotEqualTo(TokenRights.once(this.clock).shownToken());
		String pass = once.exchange(token);
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> once.exchange(token))
			.withMessageContaining("used already")
			.withMessageContaining("asynq.console.token")
			.matches((ex) -> !ex.getMessage().contains(token));
		assertThat(letsIn(once, pass)).isTrue();
	}

	@Test
	void fixedTokenIsTakenAgainAndNeverShown() {
		assertThat(this.fixed.exchange(TOKEN)).isEqualTo(this.fixed.exchange(TOKEN));
		assertThat(this.fixed.shownToken()).isNull();
	}

	@Test
	void wrongTokensAreBounded() {
		for (int i = 0; i < 10; i++) {
			String wrong = "wrong" + i;
			assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> this.fixed.exchange(wrong))
				.withMessageContaining("not the token of the console")
				.matches((ex) -> !ex.getMessage().contains(wrong) && !ex.getMessage().contains(TOKEN));
		}
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> this.fixed.exchange(TOKEN))
			.withMessageContaining("Too many");
		this.now = this.now.plus(Duration.ofMinutes(1));
		assertThat(this.fixed.exchange(TOKEN)).isNotEmpty();
	}

	private static boolean letsIn(TokenRights rights, String... passes) {
		Origin origin = new Origin("/asynq", "http://localhost:8080", "HTTP/1.1", null, List.of(passes), () -> null);
		return Stream.of(ConsoleRight.values()).allMatch((right) -> rights.allow(origin, right, "q"));
	}

}
