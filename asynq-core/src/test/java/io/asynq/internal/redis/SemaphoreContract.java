package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.limit.SemaphoreStore.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tokens of a semaphore are acquired and released.
 */
@OnDrivers
class SemaphoreContract extends BrokerContract {

	private static final String KEY = "asynq:sema:api";

	private final SemaphoreStore semaphores = this.broker.semaphores();

	SemaphoreContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void tokenIsStoredAsInGoByTaskIdAndExpiry() {
		assertThat(this.semaphores.acquire("api", 2, token("t1", 60))).isTrue();
		assertThat(tokens()).containsExactly(Map.entry("t1", nowSeconds() + 60));
	}

	@Test
	void tokensAreLimited() {
		assertThat(this.semaphores.acquire("api", 2, token("t1", 60))).isTrue();
		assertThat(this.semaphores.acquire("api", 2, token("t2", 60))).isTrue();
		assertThat(this.semaphores.acquire("api", 2, token("t3", 60))).isFalse();
		assertThat(tokens()).containsOnlyKeys("t1", "t2");
	}

	@Test
	void scopesHaveSeparateTokens() {
		assertThat(this.semaphores.acquire("api", 1, token("t1", 60))).isTrue();
		assertThat(this.semaphores.acquire("mail", 1, token("t2", 60))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a}b", "{}b", "}{", "{", "{a}b", "ä{ö}" })
	void scopeMayContainBraces(String scope) {
		assertThat(this.semaphores.acquire(scope, 1, token("t1", 60))).isTrue();
		assertThat(this.semaphores.release(scope, token("t1", 60))).isTrue();
	}

	@Test
	void releasedTokenCanBeAcquired() {
		this.semaphores.acquire("api", 1, token("t1", 60));
		assertThat(this.semaphores.release("api", token("t1", 60))).isTrue();
		assertThat(this.semaphores.acquire("api", 1, token("t2", 60))).isTrue();
		assertThat(tokens()).containsOnlyKeys("t2");
	}

	@Test
	void tokenThatIsNotHeldIsNotReleased() {
		assertThat(this.semaphores.release("api", token("t1", 60))).isFalse();
	}

	@Test
	void tokenExpiresOneSecondAfterDeadlineAsInGo() {
		seed(Map.of("now", nowSeconds(), "past", nowSeconds() - 1));
		assertThat(this.semaphores.acquire("api", 2, token("t1", 60))).isTrue();
		assertThat(tokens()).containsOnlyKeys("now", "t1");
	}

	@Test
	void expiredTokensAreRemovedInPieces() {
		Map<String, Long> old = new LinkedHashMap<>();
		for (int i = 0; i < 1500; i++) {
			old.put("old" + i, 1L);
		}
		seed(old);
		assertThat(this.semaphores.acquire("api", 1, token("t1", 60))).isFalse();
		assertThat(this.semaphores.acquire("api", 1, token("t1", 60))).isTrue();
		assertThat(tokens()).containsOnlyKeys("t1");
	}

	@Test
	void holderReacquiresTokenWithNewExpiry() {
		this.semaphores.acquire("api", 1, token("t1", 60));
		assertThat(this.semaphores.acquire("api", 1, token("t1", 90))).isTrue();
		assertThat(tokens()).containsExactly(Map.entry("t1", nowSeconds() + 90));
	}

	@Test
	void finishedAttemptCannotReleaseTokenOfNextAttempt() {
		this.semaphores.acquire("api", 1, token("t1", 60));
		this.semaphores.acquire("api", 1, token("t1", 90));
		assertThat(this.semaphores.release("api", token("t1", 60))).isFalse();
		assertThat(tokens()).containsOnlyKeys("t1");
	}

	@Test
	void attemptsWithSameDeadlineDoNotReleaseEachOthersTokens() {
		Token first = new Token("t1", "first", Duration.ofSeconds(60));
		Token second = new Token("t1", "second", Duration.ofSeconds(60));
		this.semaphores.acquire("api", 1, first);
		this.semaphores.acquire("api", 1, second);
		assertThat(this.semaphores.release("api", first)).isFalse();
		assertThat(tokens()).containsOnlyKeys("t1");
		assertThat(this.semaphores.release("api", second)).isTrue();
	}

	@Test
	void tokenTakenOverByGoIsNotReleased() {
		this.semaphores.acquire("api", 1, token("t1", 60));
		seed(Map.of("t1", nowSeconds() + 90));
		assertThat(this.semaphores.release("api", token("t1", 60))).isFalse();
		assertThat(tokens()).containsOnlyKeys("t1");
	}

	@Test
	void keyOfWrongTypeIsNamedAndLeftAlone() {
		this.state.redis().opsForValue().set(KEY, "text");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.semaphores.acquire("api", 1, token("t1", 60)))
			.withMessageContaining("'asynq:sema:api'")
			.withMessageContaining("rename or delete");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.semaphores.release("api", token("t1", 60)))
			.withMessageContaining("'api'");
		assertThat(this.state.redis().opsForValue().get(KEY)).isEqualTo("text");
	}

	private void seed(Map<String, Long> tokens) {
		tokens.forEach((id, end) -> this.state.redis().opsForZSet().add(KEY, id, end));
	}

	private Map<String, Long> tokens() {
		Map<String, Long> tokens = new LinkedHashMap<>();
		this.state.redis()
			.opsForZSet()
			.rangeWithScores(KEY, 0, -1)
			.forEach((tuple) -> tokens.put(tuple.getValue(), tuple.getScore().longValue()));
		return tokens;
	}

	/**
	 * Returns a token of an attempt with this time-out.
	 */
	private Token token(String taskId, int seconds) {
		Instant end = Instant.ofEpochSecond(nowSeconds() + seconds);
		return new Token(taskId, "attempt-" + seconds, Duration.between(this.clock.instant(), end));
	}

}
