package io.asynq.operations.repair;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.redis.BrokerContract;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.operations.repair.Inconsistency.Kind;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Base of the contracts of repairs.
 */
abstract class MendingContract extends BrokerContract {

	static final String STAGED = "g:a:6ba7b810-9dad-11d1-80b4-00c04fd430c8";

	final QueueRepair repair = new QueueRepair(this.broker);

	MendingContract(RedisConnectionFactory factory) {
		super(factory);
	}

	/**
	 * Finds exactly this inconsistency, repairs it, and finds nothing any more.
	 */
	final void mends(Kind kind, String id) {
		List<Inconsistency> found = check();
		assertThat(found).extracting(Inconsistency::kind, Inconsistency::id).containsExactly(tuple(kind, id));
		assertThat(this.repair.mend(found.get(0))).isTrue();
		assertThat(check()).isEmpty();
	}

	final List<Inconsistency> check() {
		List<Inconsistency> found = new ArrayList<>();
		this.repair.check(QUEUE, null, Integer.MAX_VALUE, found::add);
		return found;
	}

	/**
	 * Moves a task of group a into a staged set.
	 */
	final void stage(String id, @Nullable Instant deadline) {
		this.state.seedGrouped(in(0), message(id).group("a").build());
		this.state.redis().opsForZSet().remove("asynq:{default}:g:a", id);
		this.state.redis().opsForZSet().add("asynq:{default}:" + STAGED, id, nowSeconds());
		if (!this.state.exists("asynq:{default}:g:a")) {
			this.state.redis().opsForSet().remove("asynq:{default}:groups", "a");
		}
		if (deadline != null) {
			this.state.redis()
				.opsForZSet()
				.add("asynq:{default}:aggregation_sets", "asynq:{default}:" + STAGED, deadline.getEpochSecond());
		}
	}

	final Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
