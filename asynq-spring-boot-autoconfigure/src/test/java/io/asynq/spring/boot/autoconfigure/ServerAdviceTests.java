package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.broker.GroupLimits;
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
	void warnsOfAShutdownThatSpringDoesNotWaitFor(CapturedOutput output) {
		advise(ServerOptions.builder().shutdownTimeout(PHASE).build());
		assertThat(output).contains("WARN", "'asynq.server.shutdown-timeout' (PT30S)",
				"'spring.lifecycle.timeout-per-shutdown-phase' (PT30S)");
	}

	@Test
	void warnsOfConnectionsThatAreShared(CapturedOutput output) {
		new ServerAdvice(ServerOptions.builder().build(), PHASE, false, null).run();
		assertThat(output).contains("WARN", "shares the application's Redis connections", "@AsynqServerRedis");
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, for ever", "PT60S, PT1M" })
	void warnsOfCommandsThatWaitLongAndHasTheLineToAdd(Duration timeout, String told, CapturedOutput output) {
		new ServerAdvice(ServerOptions.builder().build(), PHASE, true, timeout).run();
		assertThat(output).contains("WARN", "Commands wait " + told, "spring.data.redis.timeout=3s");
	}

	@Test
	void knowsTheTimeOutsOfBothDrivers() {
		assertThat(CommandTimeout.of(new LettuceConnectionFactory())).isEqualTo(Duration.ofMinutes(1));
		assertThat(CommandTimeout.of(new JedisConnectionFactory())).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void warnsOfLimitsForGroupsOfAQueueThatIsNotServed(CapturedOutput output) {
		advise(ServerOptions.builder()
			.queue("mail", 1)
			.groupLimits("mial", GroupLimits.defaults())
			.groupLimits("mail", GroupLimits.defaults())
			.build());
		assertThat(output).contains("WARN", "'asynq.server.groups.mial' has no effect", "only [mail]",
				"'asynq.server.queues'");
		assertThat(output).doesNotContain("'asynq.server.groups.mail'");
	}

	@Test
	void saysNothingOfDefaults(CapturedOutput output) {
		advise(ServerOptions.builder().build());
		assertThat(output.getOut()).doesNotContain("WARN");
	}

	private static void advise(ServerOptions options) {
		new ServerAdvice(options, PHASE, true, Duration.ofSeconds(10)).run();
	}

}
