package io.asynq.internal.redis;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call for several callers that Redis has executed but whose answer was lost.
 */
@RequiresGo
@OnDrivers({ Driver.STANDALONE, Driver.LETTUCE })
@Timeout(300)
class SharedLostAnswerContract {

	private static final String QUEUE = "default";

	private final RedisState state;

	private final LossyProxy relay;

	private final RedisConnectionFactory relayed;

	private final RedisBroker broker;

	private final Crowd crowd;

	SharedLostAnswerContract(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.relay = LossyProxy.start(TestRedis.shared().port());
		this.relayed = this.relay.connectionsLike(factory);
		this.broker = new RedisBroker(this.relayed, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		this.crowd = new Crowd(this.broker, factory);
		// Redis has the scripts, so that the answer to their first call is not that it
		// lacks them
		this.broker.enqueuer().enqueue(plain("0"));
		this.broker.enqueuer().enqueueAll(List.of(plain("1"), plain("2")));
	}

	@AfterEach
	void close() throws Exception {
		this.broker.close();
		((DisposableBean) this.relayed).destroy();
		this.relay.close();
	}

	@Test
	void allItsCallersAreInDoubtAndNothingIsSentTwice() {
		int inDoubt = 0;
		// Two calls may be under way, and seldom divide those who wait
		for (int round = 0; round < 20 && inDoubt < 2; round++) {
			inDoubt = inDoubt(round + "-");
		}
		assertThat(inDoubt).as("callers of the call whose answer was lost").isGreaterThan(1);
		this.broker.enqueuer().enqueueShared(plain("next"));
		assertThat(this.state.pending(QUEUE)).contains("next");
	}

	private int inDoubt(String round) {
		String[] ids = Stream.of("alone-1", "alone-2", "shared-1", "shared-2", "shared-3")
			.map(round::concat)
			.toArray(String[]::new);
		long lost = this.relay.lost();
		List<Optional<AsynqException>> results = this.crowd.enqueue(() -> this.relay.loseAnswerTo(ids[3]),
				Stream.of(ids).map(SharedLostAnswerContract::plain).toArray(EnqueueRequest[]::new));
		assertThat(this.relay.lost()).isEqualTo(lost + 1);
		assertThat(results.get(3)).isPresent();
		int inDoubt = 0;
		for (int i = 0; i < ids.length; i++) {
			if (results.get(i).isPresent()) {
				inDoubt++;
				assertThat(results.get(i)).get()
					.isExactlyInstanceOf(BrokerUnavailableException.class)
					.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
					.hasMessageContainingAll("Task " + ids[i] + " (", "in queue default", "look for its id");
			}
		}
		assertThat(this.state.pending(QUEUE).stream().filter((id) -> id.startsWith(round)))
			.containsExactlyInAnyOrder(ids);
		return inDoubt;
	}

	private static EnqueueRequest plain(String id) {
		return new EnqueueRequest(RedisState.message(QUEUE, id).build(), new Placement.Pending(), null);
	}

}
