package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.broker.GroupLimits;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class ServerAdviceTests {

	private static final Duration PHASE = Duration.ofSeconds(30);

	private final DataRedisProperties redis = new DataRedisProperties();

	@Test
	void warnsOfAShutdownThatSpringDoesNotWaitFor(CapturedOutput output) {
		advise(ServerOptions.builder().shutdownTimeout(PHASE).build(), null);
		assertThat(output).contains("WARN", "'asynq.server.shutdown-timeout' (PT30S)",
				"'spring.lifecycle.timeout-per-shutdown-phase' (PT30S)");
	}

	@Test
	void warnsOfAPoolThatIsTooSmall(CapturedOutput output) {
		advise(ServerOptions.builder().build(), 3);
		assertThat(output).contains("WARN", "'spring.data.redis.jedis.pool.max-active' is 3", "at least 4");
	}

	@Test
	void warnsOfLimitsForGroupsOfAQueueThatIsNotServed(CapturedOutput output) {
		advise(ServerOptions.builder()
			.queue("mail", 1)
			.groupLimits("mial", GroupLimits.defaults())
			.groupLimits("mail", GroupLimits.defaults())
			.build(), null);
		assertThat(output).contains("WARN", "'asynq.server.groups.mial' has no effect", "only [mail]",
				"'asynq.server.queues'");
		assertThat(output).doesNotContain("'asynq.server.groups.mail'");
	}

	@Test
	void saysNothingOfDefaults(CapturedOutput output) {
		advise(ServerOptions.builder().build(), this.redis.getJedis().getPool().getMaxActive());
		assertThat(output.getOut()).doesNotContain("WARN");
	}

	@Test
	void saysNothingOfAPoolWithoutLimit(CapturedOutput output) {
		advise(ServerOptions.builder().build(), -1);
		assertThat(output.getOut()).doesNotContain("WARN");
	}

	@Test
	void knowsTheSizeOfThePoolOfJedis() {
		this.redis.getJedis().getPool().setMaxActive(3);
		assertThat(JedisPool.size(new JedisConnectionFactory(), this.redis)).isEqualTo(3);
	}

	@Test
	void knowsNoPoolWhenItIsSwitchedOff() {
		this.redis.getJedis().getPool().setEnabled(false);
		assertThat(JedisPool.size(new JedisConnectionFactory(), this.redis)).isNull();
	}

	@Test
	void knowsNoPoolOfOtherConnections() {
		assertThat(JedisPool.size(mock(RedisConnectionFactory.class), this.redis)).isNull();
		assertThat(JedisPool.size(new JedisConnectionFactory(), null)).isNull();
	}

	private static void advise(ServerOptions options, @Nullable Integer poolSize) {
		new ServerAdvice(options, PHASE, poolSize).run();
	}

}
