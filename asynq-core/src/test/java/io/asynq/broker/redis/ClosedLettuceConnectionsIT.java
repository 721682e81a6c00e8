package io.asynq.broker.redis;

import io.asynq.broker.EnqueueStatus;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Redis closes the connection that all callers share.
 */
class ClosedLettuceConnectionsIT {

	private TestRedis redis = TestRedis.startOwn();

	private final LettuceConnectionFactory factory = LettuceRedisExtension.connectionFactory(this.redis);

	private final ClosedConnections application = new ClosedConnections(this.factory);

	@BeforeEach
	void connect() {
		assertThat(this.application.broker().enqueuer().enqueue(this.application.request()))
			.isEqualTo(EnqueueStatus.ENQUEUED);
	}

	@AfterEach
	void stop() {
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void noCallFailsAfterRedisWasToldToCloseConnections() {
		try (Jedis admin = new Jedis(this.redis.host(), this.redis.port())) {
			admin.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
		}
		this.application.assertAllCallsSucceed();
	}

	@Test
	void noCallFailsAfterRedisHasStartedAgain() {
		int port = this.redis.port();
		this.redis.stop();
		this.redis = TestRedis.startOwn(port);
		this.application.assertAllCallsSucceed();
	}

}
