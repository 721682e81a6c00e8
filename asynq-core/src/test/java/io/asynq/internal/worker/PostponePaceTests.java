package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.internal.redis.TaskMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How soon tasks come back that are postponed again and again.
 */
class PostponePaceTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final AtomicLong nanos = new AtomicLong();

	private final PostponePace pace = new PostponePace(this.nanos::get);

	@Test
	void fewTasksComeBackWhenTheyAreTo() {
		for (int i = 0; i < 30; i++) {
			assertThat(postponed("a", SECOND)).isEqualTo(SECOND);
		}
	}

	@Test
	void ofManyTasksTenPerSecondComeBack() {
		for (int i = 0; i < 1031; i++) {
			postponed("a", SECOND);
		}
		assertThat(postponed("a", SECOND)).isBetween(Duration.ofSeconds(99), Duration.ofSeconds(101));
		assertThat(postponed("b", SECOND)).as("another type").isEqualTo(SECOND);
		this.nanos.addAndGet(Duration.ofSeconds(200).toNanos());
		assertThat(postponed("a", SECOND)).as("after a pause").isEqualTo(SECOND);
	}

	@Test
	void longPostponementsAreLeftAsTheyAre() {
		for (int i = 0; i < 1000; i++) {
			assertThat(postponed("a", Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(6));
		}
		assertThat(postponed("a", SECOND)).isEqualTo(SECOND);
	}

	@Test
	void typesFromOutsideDoNotFillTheMemory() {
		for (int i = 0; i < 100_000; i++) {
			assertThat(postponed("type" + i, SECOND)).isEqualTo(SECOND);
		}
	}

	private Duration postponed(String type, Duration asked) {
		return this.pace.stretched(TaskMessage.builder(type, "id", "default").build(), asked);
	}

}
