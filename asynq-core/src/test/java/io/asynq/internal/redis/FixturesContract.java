package io.asynq.internal.redis;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Checks the test fixtures on every driver and kind of Redis.
 */
@OnDrivers
class FixturesContract extends BrokerContract {

	FixturesContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void readsSeededState() {
		Instant at = this.clock.instant();
		this.state.seedPending(RedisState.message("a", "p1").build(), RedisState.message("a", "p2").build());
		this.state.seedActive(at, RedisState.message("a", "a1").build());
		this.state.seedScheduled(at, RedisState.message("a", "s1").build());
		this.state.seedGrouped(at, RedisState.message("a", "g1").group("g").build());
		this.state.assertPending("a", "p1", "p2");
		this.state.assertActive("a", "a1");
		this.state.assertScheduled("a", "s1");
		this.state.assertGrouped("a", "g", "g1");
		assertThat(this.state.scores("a", "scheduled")).containsEntry("s1", at.getEpochSecond());
		assertThat(this.state.stored("a", "p1").type()).isEqualTo("email:send");
		assertThat(this.state.dump("a")).hasSize(11).containsKey("asynq:{a}:t:p1");
		assertThat(this.state.dump("b")).isEmpty();
	}

	@Test
	void detectsWrongOrder() {
		this.state.seedPending(RedisState.message("a", "p1").build(), RedisState.message("a", "p2").build());
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.state.assertPending("a", "p2", "p1"));
	}

}
