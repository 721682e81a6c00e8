package io.asynq.internal.worker;

import java.time.Duration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.asynq.context.ContextPropagators;
import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.SkipRetryException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.LogCapture;
import io.asynq.server.FailureLogging;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class AttemptObserverTests {

	private final LogCapture log = LogCapture.of(AttemptObserver.class, Level.DEBUG);

	@AfterEach
	void close() {
		this.log.close();
	}

	@ParameterizedTest
	@CsvSource({ "EVERY, WARN, WARN, WARN", "FIRST_AND_LAST, WARN, DEBUG, WARN", "LAST, DEBUG, DEBUG, WARN",
			"NONE, DEBUG, DEBUG, DEBUG" })
	void firstMiddleAndLastAttemptAreLoggedAsConfigured(FailureLogging which, String first, String middle,
			String last) {
		AttemptObserver failures = observer(which);
		Throwable error = new IllegalStateException("boom");
		retried(failures, 0, error, true);
		retried(failures, 7, error, true);
		archived(failures, 25, error);
		assertThat(this.log.lines()).extracting(ILoggingEvent::getLevel)
			.containsExactly(Level.valueOf(first), Level.valueOf(middle), Level.valueOf(last));
		assertThat(this.log.lines())
			.allSatisfy((line) -> assertThat(line.getThrowableProxy().getMessage()).isEqualTo("boom"));
	}

	@Test
	void linesSayWhichAttemptItWasAndWhatFollows() {
		AttemptObserver failures = observer(FailureLogging.EVERY);
		retried(failures, 1, new IllegalStateException("boom"), true);
		archived(failures, 25, new IllegalStateException("boom"));
		assertThat(this.log.lines()).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("Failed task t1 (email:welcome) in queue default, attempt 2 of 26: retried in PT1M",
					"Archived task t1 (email:welcome) in queue default after attempt 26 of 26");
	}

	@Test
	void firstErrorThatIsNoFailureIsNotWorthWarning() {
		retried(observer(FailureLogging.FIRST_AND_LAST), 0, new IllegalStateException("busy"), false);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void revokedAndPostponedTasksAreNoFailures() {
		AttemptObserver failures = observer(FailureLogging.EVERY);
		Attempt attempt = attempt(0);
		failures.failed(attempt, new IllegalStateException(), new Outcome.Done(attempt.leased()));
		failures.failed(attempt, new IllegalStateException(),
				new Outcome.Postpone(attempt.leased(), Due.in(Duration.ofSeconds(1))));
		assertThat(this.log.lines(Level.WARN)).isEmpty();
		assertThat(this.log.lines(Level.DEBUG)).hasSize(2);
	}

	@Test
	void missingHandlerIsLoggedOncePerTypeAndMinute() {
		AttemptObserver failures = observer(FailureLogging.LAST);
		for (int i = 0; i < 100; i++) {
			retried(failures, 0, new HandlerNotFoundException("email:welcome"), true);
			archived(failures, 25, new HandlerNotFoundException("email:welcome"));
		}
		Attempt other = TestMessages.attempt(TaskMessage.builder("sms", "t2", "default").timeoutSeconds(60).build());
		failures.failed(other, new IllegalStateException(new HandlerNotFoundException("sms")),
				new Outcome.Archive(other.leased(), "x"));
		assertThat(this.log.lines(Level.WARN)).extracting(ILoggingEvent::getFormattedMessage)
			.satisfiesExactly((line) -> assertThat(line).contains("no handler for type 'email:welcome'", "t1"),
					(line) -> assertThat(line).contains("no handler for type 'sms'", "t2"));
	}

	@ParameterizedTest
	@MethodSource("errorsThatQuote")
	void whatParserQuotesIsNotLogged(Throwable error) {
		retried(observer(FailureLogging.EVERY), 0, error, true);
		assertThat(this.log.lines()).singleElement().satisfies((line) -> {
			String trace = ThrowableProxyUtil.asString(line.getThrowableProxy());
			assertThat(trace).doesNotContain("geheim4711")
				.contains("left out", "ObjectMapper", "at " + AttemptObserverTests.class.getName());
		});
	}

	static Throwable[] errorsThatQuote() {
		JacksonException parser = catchThrowableOfType(JacksonException.class,
				() -> JsonMapper.shared().readTree("geheim4711"));
		IllegalStateException suppressing = new IllegalStateException("closed");
		suppressing.addSuppressed(parser);
		return new Throwable[] { parser, new IllegalArgumentException(parser), suppressing,
				new SkipRetryException("cannot be read: " + parser.getOriginalMessage(), parser) };
	}

	@Test
	void errorWhoseMethodsFailIsNamed() {
		retried(observer(FailureLogging.EVERY), 0, new IllegalStateException() {

			@Override
			public String getMessage() {
				throw new IllegalArgumentException("no message");
			}

		}, true);
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.satisfies((line) -> assertThat(ThrowableProxyUtil.asString(line.getThrowableProxy()))
				.contains(AttemptObserverTests.class.getName()));
	}

	private static AttemptObserver observer(FailureLogging logged) {
		return new AttemptObserver((task, context, error) -> {
		}, logged, TaskEvents.none(), TaskObservations.none(), ContextPropagators.none());
	}

	private static void retried(AttemptObserver failures, int retried, Throwable error, boolean failure) {
		Attempt attempt = attempt(retried);
		failures.failed(attempt, error,
				new Outcome.Retry(attempt.leased(), "boom", Due.in(Duration.ofMinutes(1)), failure));
	}

	private static void archived(AttemptObserver failures, int retried, Throwable error) {
		Attempt attempt = attempt(retried);
		failures.failed(attempt, error, new Outcome.Archive(attempt.leased(), "boom"));
	}

	private static Attempt attempt(int retried) {
		return TestMessages.attempt(TestMessages.message("t1").retried(retried).build());
	}

}
