package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

import io.asynq.group.GroupLimits;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.group.StagedGroup;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Base of the contracts of groups.
 */
abstract class AggregationContract extends BrokerContract {

	static final GroupLimits LIMITS = GroupLimits.defaults()
		.withGracePeriod(Duration.ofSeconds(10))
		.withMaxDelay(Duration.ofSeconds(60))
		.withMaxSize(3);

	static final GroupLimits ALL = LIMITS.withMaxSize(0);

	static final String SETS = "aggregation_sets";

	final GroupStore store;

	AggregationContract(RedisConnectionFactory factory) {
		super(factory);
		this.store = this.broker.groups();
	}

	@BeforeEach
	void aWholeSecond() {
		this.clock.advance(Duration.ofNanos(1_000_000_000L - this.clock.instant().getNano()));
	}

	StagedGroup stage(String group, GroupLimits limits) {
		return Objects.requireNonNull(this.store.stage(QUEUE, group, limits), "not due");
	}

	Map<String, Long> scores(StagedGroup staged) {
		return this.state.scores(QUEUE, staged.set().substring(key("").length()));
	}

	void grouped(String group, long secondsAgo, int count) {
		for (int i = 0; i < count; i++) {
			this.state.seedGrouped(ago(secondsAgo), message(group + i).group(group).build());
		}
	}

	Instant ago(long seconds) {
		return this.clock.instant().minusSeconds(seconds);
	}

	static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

	static String key(String suffix) {
		return RedisState.key(QUEUE, suffix);
	}

}
