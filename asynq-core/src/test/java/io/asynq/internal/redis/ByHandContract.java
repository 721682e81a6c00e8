package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base of the contracts that change tasks by hand.
 */
abstract class ByHandContract extends BrokerContract {

	static final String LOCK = "asynq:{default}:unique:x:";

	ByHandContract(RedisConnectionFactory factory) {
		super(factory);
	}

	void assertNothingIn(String... suffixes) {
		assertThat(new TreeSet<>(this.state.dump(QUEUE).keySet())).doesNotContainAnyElementsOf(
				List.of(suffixes).stream().map((name) -> RedisState.key(QUEUE, name)).toList());
	}

	void seed(TaskState state, TaskMessage message) {
		switch (state) {
			case PENDING -> this.state.seedPending(message);
			case ACTIVE -> this.state.seedActive(in(30), message);
			case SCHEDULED -> this.state.seedScheduled(in(5), message);
			case RETRY -> this.state.seedRetry(in(5), message);
			case ARCHIVED -> this.state.seedArchived(in(-5), message);
			case COMPLETED -> this.state.seedCompleted(in(5), message);
			case AGGREGATING -> this.state.seedGrouped(in(0), message);
		}
	}

	Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	Instant ago(int days) {
		return this.clock.instant().minus(Duration.ofDays(days));
	}

	static TaskMove.Result done(TaskState from) {
		return new TaskMove.Result(Status.DONE, from);
	}

	static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
