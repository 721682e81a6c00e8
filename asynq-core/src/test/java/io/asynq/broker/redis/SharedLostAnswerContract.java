package io.asynq.broker.redis;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.message.Placement;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
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
		this.broker.destroy();
		((DisposableBean) this.relayed).destroy();
		this.relay.close();
	}

	@Test
	void allItsCallersAreInDoubtAndNothingIsSentTwice() {
		List<Optional<AsynqException>> results = this.crowd.enqueue(() -> this.relay.loseAnswerTo("shared-2"),
				plain("alone-1"), plain("alone-2"), plain("shared-1"), plain("shared-2"), plain("shared-3"));
		assertThat(this.relay.lost()).isEqualTo(1);
		assertThat(results.subList(2, 5))
			.allSatisfy((error) -> assertThat(error).get().isExactlyInstanceOf(BrokerUnavailableException.class));
		assertThat(results.get(2)).hasValueSatisfying((error) -> assertThat(error)
			.hasMessageContainingAll("Task shared-1 (", "in queue default", "look for its id"));
		assertThat(results.subList(2, 5)).doesNotHaveDuplicates();
		assertThat(this.state.pending(QUEUE)).containsExactlyInAnyOrder("alone-1", "alone-2", "shared-1", "shared-2",
				"shared-3");
		this.broker.enqueuer().enqueueShared(plain("next"));
		assertThat(this.state.pending(QUEUE)).contains("next");
	}

	private static EnqueueRequest plain(String id) {
		return new EnqueueRequest(RedisState.message(QUEUE, id).build(), new Placement.Pending(), null);
	}

}
