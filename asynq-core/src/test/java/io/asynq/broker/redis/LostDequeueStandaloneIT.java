package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.time.Clock;

import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class LostDequeueStandaloneIT extends LostDequeueContract {

	private final RedisConnectionFactory factory;

	LostDequeueStandaloneIT(RedisConnectionFactory factory) {
		super(factory);
		this.factory = factory;
	}

	/**
	 * Other drivers may have sent it twice.
	 */
	@Test
	void nobodyLooksForWhatASlowDequeueOverJedisHasTaken() {
		RedisState state = new RedisState(this.factory);
		RedisBroker broker = new RedisBroker(this.factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				});
		state.seedPending(RedisState.message("default", "t1").build());
		state.redis().execute((connection) -> connection.execute("CLIENT", utf8("PAUSE"), utf8("1200")), true);
		assertThat(broker.dequeuer().dequeue("default", 1).tasks()).hasSize(1);
		long before = state.redis().execute(LostDequeueStandaloneIT::scripts, true);
		broker.dequeuer().giveBackLost();
		assertThat(state.redis().execute(LostDequeueStandaloneIT::scripts, true)).isEqualTo(before);
	}

	private static long scripts(RedisConnection connection) {
		String line = connection.serverCommands().info("commandstats").getProperty("cmdstat_evalsha");
		return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
