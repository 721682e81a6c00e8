package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.internal.worker.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.asynq.internal.worker.OutcomeResult.Status.APPLIED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How finished attempts are counted.
 */
@OnDrivers
class CountersContract extends OutcomeContract {

	private static final String MAX = Long.toString(Long.MAX_VALUE);

	CountersContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void firstWriteOfDaySetsExpiryToNinetyDays() {
		report(new Outcome.Done(active(message("a").build())), new Outcome.Done(active(message("b").build())),
				new Outcome.Retry(active(message("c").build()), "x", dueIn(9), true));
		long life = nowSeconds() - Instant.now().getEpochSecond() + Duration.ofDays(90).toSeconds();
		for (String counter : List.of("processed", "failed")) {
			assertThat(this.state.redis().getExpire("asynq:{default}:" + counter + ":" + DAY)).isBetween(life - 60,
					life);
			assertThat(this.state.redis().getExpire("asynq:{default}:" + counter)).isEqualTo(-1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "2096-02-29", "2096-03-01", "2096-12-31", "2097-01-01", "2099-02-28", "2099-03-01",
			"2100-02-28", "2100-03-01", "2200-02-28", "2200-03-01" })
	void attemptsCountForTheirDay(String day) {
		for (String time : List.of("T00:00:00Z", "T23:59:59.999Z")) {
			this.clock.set(Instant.parse(day + time));
			report(new Outcome.Done(active(message("a").build())));
		}
		assertThat(this.state.value(QUEUE, "processed:" + day)).isEqualTo("2");
	}

	@Test
	void laterWritesOfDayDoNotExtendExpiry() {
		this.state.redis().opsForValue().set("asynq:{default}:processed:" + DAY, "5");
		report(new Outcome.Done(active(message("a").build())));
		assertThat(this.state.value(QUEUE, "processed:" + DAY)).isEqualTo("6");
		assertThat(this.state.redis().getExpire("asynq:{default}:processed:" + DAY)).isEqualTo(-1);
	}

	@Test
	void totalAtLimitRestartsAsInGo() {
		this.state.redis().opsForValue().set("asynq:{default}:processed", MAX);
		this.state.redis().opsForValue().set("asynq:{default}:failed", "7");
		report(new Outcome.Done(active(message("a").build())), new Outcome.Done(active(message("b").build())));
		assertThat(this.state.value(QUEUE, "processed")).isEqualTo("2");
		assertThat(this.state.value(QUEUE, "failed")).isEqualTo("7");
		this.state.redis().opsForValue().set("asynq:{default}:processed", MAX);
		report(new Outcome.Archive(active(message("c").build()), "x"));
		assertThat(this.state.value(QUEUE, "processed")).isEqualTo("1");
		assertThat(this.state.value(QUEUE, "failed")).isEqualTo("1");
	}

	@Test
	void totalExceededByBatchRestarts() {
		this.state.redis().opsForValue().set("asynq:{default}:processed", "7");
		this.state.redis().opsForValue().set("asynq:{default}:failed", Long.toString(Long.MAX_VALUE - 1));
		report(new Outcome.Archive(active(message("a").build()), "x"),
				new Outcome.Archive(active(message("b").build()), "x"));
		assertThat(this.state.value(QUEUE, "processed")).isEqualTo("9");
		assertThat(this.state.value(QUEUE, "failed")).isEqualTo("2");
	}

	@Test
	void counterThatIsNoNumberBlocksNoTask() {
		this.state.redis().opsForValue().set("asynq:{default}:processed", "many");
		this.state.redis().opsForList().leftPush("asynq:{default}:processed:" + DAY, "x");
		assertThat(report(new Outcome.Done(active(message("a").build())),
				new Outcome.Retry(active(message("b").build()), "x", dueIn(9), true)))
			.containsExactly(APPLIED, APPLIED);
		this.state.assertRetry(QUEUE, "b");
		assertThat(this.state.value(QUEUE, "processed")).isEqualTo("many");
		assertThat(this.state.value(QUEUE, "failed")).isEqualTo("1");
	}

}
