package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Map;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.broker.check.LoginRefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The status that tells the caller what kind of error it is.
 */
class ProblemTests {

	static Stream<Arguments> errors() {
		return Stream.of(arguments(new AsynqException("no number"), 400),
				arguments(new QueueNotFoundException("none"), 404),
				arguments(new QueueNotEmptyException("low", Map.of("pending", 1L), "delete its tasks first"), 409),
				arguments(new BrokerException("WRONGTYPE", null), 500),
				arguments(new IllegalStateException("unexpected"), 500),
				arguments(new BrokerUnavailableException("no answer", null), 503),
				arguments(new LoginRefusedException("WRONGPASS", new IllegalStateException()), 503));
	}

	@ParameterizedTest
	@MethodSource("errors")
	void statusTellsWhoCanHelp(RuntimeException error, int status) {
		assertThat(Problem.of(error).status()).isEqualTo(status);
	}

}
