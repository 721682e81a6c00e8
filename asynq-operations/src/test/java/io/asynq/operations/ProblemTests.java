package io.asynq.operations;

import java.util.Map;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.internal.redis.LoginRefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.helpers.NOPLogger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The status and the code that tell the caller what kind of error it is.
 */
class ProblemTests {

	static Stream<Arguments> errors() {
		return Stream.of(arguments(new AsynqException("no number"), 400, "parameter"),
				arguments(new ProblemException(415, "content-type", "no JSON"), 415, "content-type"),
				arguments(new QueueNotFoundException("none"), 404, "not-found"),
				arguments(new QueueNotEmptyException("low", Map.of("pending", 1L), "delete its tasks first"), 409,
						"conflict"),
				arguments(new BrokerException("WRONGTYPE", null), 500, "redis"),
				arguments(new IllegalStateException("unexpected"), 500, "error"),
				arguments(new BrokerUnavailableException("no answer", null), 503, "redis"),
				arguments(new LoginRefusedException("WRONGPASS", new IllegalStateException()), 503, "redis"));
	}

	@ParameterizedTest
	@MethodSource("errors")
	void statusTellsWhoCanHelp(RuntimeException error, int status, String code) {
		Problem problem = Problem.of(error, NOPLogger.NOP_LOGGER);
		assertThat(problem.status()).isEqualTo(status);
		assertThat(problem.code()).isEqualTo(code);
	}

}
