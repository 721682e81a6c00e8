package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.DeadlineWatch;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Deadlines, cancellations, and handlers that ignore them.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class DeadlinesIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	DeadlinesIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	@Tag("slow")
	void deadlineInterruptsAndReportsTaskAtOnceWhileSlotStaysTaken() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
		CountDownLatch second = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.concurrency(1))
			.errors((task, context, error) -> errors.add(error))
			.handling((task, context) -> {
				if (context.taskId().equals("second")) {
					assertThat(Thread.currentThread().isInterrupted()).isFalse();
					second.countDown();
					return null;
				}
				ignoreInterrupts(release, interrupted);
				return null;
			})
			.start()) {
			server.enqueue(message("slow").timeoutSeconds(6).build());
			server.enqueue(message("second").build());
			assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "slow"));
			assertThat(this.state.stored(QUEUE, "slow").errorMessage()).isEqualTo("context deadline exceeded");
			assertThat(errors.poll(60, TimeUnit.SECONDS)).isInstanceOf(TaskDeadlineExceededException.class);
			this.state.assertPending(QUEUE, "second");
			assertThat(server.server().statistics().activeWorkers()).isEqualTo(1);
			release.countDown();
			assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 2, 1));
			assertThat(server.server().statistics().outcomesDropped()).as("the failure was written").isZero();
			assertThat(server.server().statistics().timedOut()).isOne();
		}
	}

	@ParameterizedTest
	@CsvSource({ "1, 990, 0", "3, 500, 0", "1, 999, 60", "2, 1, 3" })
	void attemptHasItsFullTimeoutWhereverInSecondItBegins(int timeout, int millis, int deadline) throws Exception {
		Instant begin = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(millis);
		BlockingQueue<Instant> deadlines = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.clock(Clock.fixed(begin, ZoneOffset.UTC))
			.handling((task, context) -> {
				deadlines.add(context.deadline());
				return null;
			})
			.start()) {
			server.enqueue(message("t").timeoutSeconds(timeout)
				.deadlineSeconds((deadline != 0) ? begin.getEpochSecond() + deadline : 0)
				.build());
			assertThat(deadlines.poll(60, TimeUnit.SECONDS)).isEqualTo(begin.plusSeconds(timeout));
		}
	}

	@Test
	@Tag("slow")
	void handlerIgnoringInterruptIsLoggedWithStackAndCounted() throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger(DeadlineWatch.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.stuckHandlerTimeout(Duration.ofMillis(300)))
			.handling((task, context) -> {
				ignoreInterrupts(release, new CountDownLatch(1));
				return null;
			})
			.start()) {
			server.enqueue(message("stuck").timeoutSeconds(6).build());
			await().until(() -> server.server().statistics().stuckHandlers() == 1);
			assertThat(log.list).singleElement().satisfies((event) -> {
				assertThat(event.getFormattedMessage()).contains("stuck").contains("email:send");
				assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
					.anyMatch((frame) -> frame.getStackTraceElement().getMethodName().equals("ignoreInterrupts"));
			});
			assertThat(server.server().statistics().hangingHandlers()).as("while it hangs").isOne();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "stuck"));
			assertThat(server.server().statistics().hangingHandlers()).as("after its outcome").isOne();
			release.countDown();
			await().until(() -> server.server().statistics().hangingHandlers() == 0);
			assertThat(server.server().statistics().stuckHandlers()).isOne();
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@Test
	void taskPastDeadlineFailsWithoutCallingHandler() {
		AtomicInteger handled = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			handled.incrementAndGet();
			return null;
		}).start()) {
			server.enqueue(message("late").timeoutSeconds(0).deadlineSeconds(1_700_000_000).build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "late"));
			assertThat(handled).hasValue(0);
		}
	}

	@Test
	void cancelledTaskIsInterruptedAndRetried() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			running.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				seen.add(context.cancellation());
			}
			return null;
		}).start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			await().until(() -> this.state.subscribers("asynq:cancel") == 1);
			server.broker.cancellations().cancel("t1");
			assertThat(seen.poll(60, TimeUnit.SECONDS)).isInstanceOf(TaskCanceledException.class);
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
			assertThat(this.state.stored(QUEUE, "t1").errorMessage()).isEqualTo("context canceled");
		}
	}

	private static void ignoreInterrupts(CountDownLatch release, CountDownLatch interrupted) {
		while (true) {
			try {
				release.await();
				return;
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
