package io.asynq.server;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.text.LogCapture;
import io.asynq.internal.worker.AttemptObserver;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(RedisExtension.class)
@Timeout(120)
class FailureLoggingIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	FailureLoggingIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void handlerAndLinesAboutItsTaskHaveTaskInMdc() {
		List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
		try (LogCapture log = LogCapture.of(AttemptObserver.class, Level.WARN);
				TestServer server = TestServer.builder(this.factory)
					.options((options) -> options.logFailures(FailureLogging.EVERY))
					.handling((task, context) -> {
						seen.add(Objects.requireNonNull(MDC.getCopyOfContextMap()));
						throw new IllegalStateException("boom");
					})
					.start()) {
			server.enqueue(RedisState.message(QUEUE, "t1").retried(2).build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
			assertThat(seen).singleElement()
				.satisfies((mdc) -> assertThat(mdc).containsEntry("asynq.task.id", "t1")
					.containsEntry("asynq.task.queue", QUEUE)
					.containsEntry("asynq.task.attempt", "3")
					.containsKey("asynq.task.type"));
			assertThat(log.lines()).singleElement().satisfies((line) -> {
				assertThat(line.getMDCPropertyMap()).isEqualTo(seen.get(0));
				assertThat(line.getThrowableProxy().getMessage()).isEqualTo("boom");
			});
		}
	}

	@Test
	void taskIsNotNamedInThreadThatHasNone() {
		List<Boolean> named = new CopyOnWriteArrayList<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.concurrency(1))
			.decorator((attempt) -> {
				named.add(MDC.get("asynq.task.id") != null);
				return attempt;
			})
			.handling((task, context) -> null)
			.start()) {
			for (int i = 0; i < 3; i++) {
				server.enqueue(RedisState.message(QUEUE, "t" + i).build());
			}
			await().untilAsserted(() -> assertThat(named).containsExactly(false, false, false));
		}
	}

	@Test
	@Tag("slow")
	void placeWhereTimedOutHandlerHangsIsInTheLine() {
		CountDownLatch never = new CountDownLatch(1);
		try (LogCapture log = LogCapture.of(AttemptObserver.class, Level.WARN);
				TestServer server = TestServer.builder(this.factory)
					.options((options) -> options.logFailures(FailureLogging.FIRST_AND_LAST))
					.handling((task, context) -> hangUp(never))
					.start()) {
			server.enqueue(RedisState.message(QUEUE, "slow").timeoutSeconds(6).build());
			await().until(() -> !log.lines().isEmpty());
			ILoggingEvent line = log.lines().get(0);
			assertThat(line.getMDCPropertyMap()).containsEntry("asynq.task.id", "slow");
			assertThat(line.getThrowableProxy().getMessage()).isEqualTo("context deadline exceeded");
			assertThat(line.getThrowableProxy().getCause().getStackTraceElementProxyArray())
				.anyMatch((frame) -> frame.getStackTraceElement().getMethodName().equals("hangUp"));
		}
	}

	private static byte[] hangUp(CountDownLatch latch) throws InterruptedException {
		latch.await();
		return new byte[0];
	}

}
