package io.asynq.internal.redis;

import io.asynq.BrokerUnavailableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a driver throws, and what callers are told.
 */
class DriverErrorsTests {

	@ParameterizedTest
	@ValueSource(strings = { "Failed to connect to 127.0.0.1:6379.", "No more cluster attempts left.",
			"Cluster retry deadline exceeded." })
	void nodeThatDoesNotAnswerIsNoWrongUseOfTheApi(String text) {
		RuntimeException thrown = new InvalidDataAccessApiUsageException("Could not get a resource from the pool",
				new IllegalStateException(text));
		assertThat(ScriptRunner.translate("SADD", "queues [low]", thrown))
			.isInstanceOf(BrokerUnavailableException.class)
			.hasMessageStartingWith("Redis cannot be reached (SADD, queues [low]): " + text);
	}

}
