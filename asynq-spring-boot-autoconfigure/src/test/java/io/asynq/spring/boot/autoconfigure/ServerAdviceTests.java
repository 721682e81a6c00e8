package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.internal.redis.ServerConnections;
import io.asynq.server.ServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ServerAdviceTests {

	private static final Duration PHASE = Duration.ofSeconds(30);

	@Test
	void warnsOfShutdownTimeoutLongerThanSprings(CapturedOutput output) {
		advise(ServerOptions.builder().shutdownTimeout(PHASE).build());
		assertThat(output).contains("WARN", "'asynq.server.shutdown-timeout' (PT30S)",
				"'spring.lifecycle.timeout-per-shutdown-phase' (PT30S)");
	}

	@Test
	void warnsOfSharedConnections(CapturedOutput output) {
		new ServerAdvice(ServerOptions.builder().build(), PHASE, false, null).run();
		assertThat(output).contains("WARN", "shares the application's Redis connections", "@AsynqServerRedis");
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, for ever", "PT60S, PT1M" })
	void warnsOfMissingCommandTimeoutWithLineToAdd(Duration timeout, String told, CapturedOutput output) {
		new ServerAdvice(ServerOptions.builder().build(), PHASE, true, timeout).run();
		assertThat(output).contains("WARN", "Commands wait " + told, "spring.data.redis.timeout=2s");
	}

	@Test
	void knowsTimeoutsOfBothDrivers() {
		assertThat(ServerConnections.commandTimeout(new LettuceConnectionFactory())).isEqualTo(Duration.ofMinutes(1));
		assertThat(ServerConnections.commandTimeout(new JedisConnectionFactory())).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void isSilentWithDefaults(CapturedOutput output) {
		advise(ServerOptions.builder().build());
		assertThat(output.getOut()).doesNotContain("ServerAdvice");
	}

	private static void advise(ServerOptions options) {
		new ServerAdvice(options, PHASE, true, Duration.ofSeconds(10)).run();
	}

}
