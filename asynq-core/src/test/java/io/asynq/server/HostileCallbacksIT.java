package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever callbacks of users throw and however long they hang, the task ends and the
 * server continues.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class HostileCallbacksIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	HostileCallbacksIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@ParameterizedTest
	@MethodSource("throwing")
	void throwablesOfCallbacksLeadToRetryOrArchiveAndServerContinues(Case hostile) {
		try (TestServer server = hostile.server(this.factory).start()) {
			server.enqueue(RedisState.message(QUEUE, "hostile").build());
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertRetry(QUEUE, "hostile"));
			assertThat(this.state.stored(QUEUE, "hostile").errorMessage()).contains(hostile.text());
			server.enqueue(RedisState.message(QUEUE, "last").maxRetry(0).build());
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertArchived(QUEUE, "last"));
			this.state.assertCounters(QUEUE, 2, 2);
			this.state.assertActive(QUEUE);
			server.enqueue(RedisState.message(QUEUE, "sound").build());
			await().dontCatchUncaughtExceptions()
				.untilAsserted(() -> assertThat(this.state.exists("asynq:{default}:t:sound")).isFalse());
			await().dontCatchUncaughtExceptions()
				.untilAsserted(() -> assertThat(server.server().statistics().activeWorkers()).isZero());
		}
	}

	static Stream<Case> throwing() {
		return Stream.of(handling("a message that cannot be got", "Hostile", () -> new Hostile() {
			@Override
			public String getMessage() {
				throw new IllegalStateException("message");
			}
		}), handling("a message that takes all memory", "Hostile", () -> new Hostile() {
			@Override
			public String getMessage() {
				throw new OutOfMemoryError("planted");
			}
		}), handling("a cause that cannot be got", "Hostile", () -> new Hostile() {
			@Override
			public synchronized Throwable getCause() {
				throw new IllegalStateException("cause");
			}
		}), handling("causes without an end", "Hostile", () -> endless()),
				handling("a text that recurs", "Hostile", () -> new Hostile() {
					@Override
					public String toString() {
						return "again " + this;
					}
				}), handling("a text that is null", "Hostile", () -> new Hostile() {
					@Override
					public String toString() {
						return null;
					}
				}), handling("a stack that cannot be got", "Hostile", () -> new Hostile() {
					@Override
					public StackTraceElement[] getStackTrace() {
						throw new IllegalStateException("stack");
					}
				}), handling("a huge message", "xxxxxxxx", () -> new IllegalStateException("x".repeat(30_000_000))),
				handling("an error of ours with a message that cannot be got", "HostileOfOurs", HostileOfOurs::new),
				handling("an overflown stack", "StackOverflowError", StackOverflowError::new),
				new Case("an error handler that throws a checked exception", "boom",
						(server) -> server.errors((task, context, error) -> sneak(new Exception("checked")))),
				new Case("an error handler that overflows its stack", "boom",
						(server) -> server.errors((task, context, error) -> sneak(new StackOverflowError()))),
				new Case("an error handler without memory", "boom",
						(server) -> server.errors((task, context, error) -> sneak(new OutOfMemoryError("planted")))),
				new Case("an error handler that throws what cannot be shown", "boom",
						(server) -> server.errors((task, context, error) -> sneak(new HostileOfOurs()))),
				new Case("a retry policy that returns null", "boom",
						(server) -> server.delay((retried, error, task) -> null)),
				new Case("a retry policy that throws an error", "boom",
						(server) -> server.delay((retried, error, task) -> sneak(new NoClassDefFoundError("gone")))),
				new Case("a retry policy that throws a checked exception", "boom",
						(server) -> server.delay((retried, error, task) -> sneak(new Exception("checked")))),
				new Case("a failure predicate that throws an error", "boom",
						(server) -> server.failures((error) -> sneak(new StackOverflowError()))),
				new Case("a failure predicate that throws what cannot be shown", "boom",
						(server) -> server.failures((error) -> sneak(new HostileOfOurs()))),
				decorated("a decorator that returns null", "TaskDecorator", (attempt) -> null),
				decorated("a decorator that throws", "decorator", (attempt) -> {
					throw new IllegalStateException("decorator");
				}), decorated("a decorator that throws before it delegates", "before", (attempt) -> () -> {
					throw new IllegalStateException("before");
				}), decorated("a decorator that throws an error before it delegates", "planted", (attempt) -> () -> {
					throw new OutOfMemoryError("planted");
				}), decorated("a decorator that never delegates", "TaskDecorator", (attempt) -> () -> {
				}));
	}

	@Test
	void postponementWithFailingDelayIsStillPostponed() {
		try (TestServer server = TestServer.builder(this.factory)
			.handling((task, context) -> sneak(new PostponeTaskException(Duration.ofHours(1)) {
				@Override
				public Duration delay() {
					throw new IllegalStateException("delay");
				}
			}))
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "hostile").build());
			await().until(() -> server.server().statistics().postponed() > 0);
			assertThat(this.state.stored(QUEUE, "hostile").retried()).isZero();
		}
	}

	@Test
	void decoratorThatDelegatesTwiceOrThrowsChangesNothing() {
		AtomicInteger handled = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory).decorator((attempt) -> () -> {
			attempt.run();
			attempt.run();
			throw new IllegalStateException("after");
		}).handling((task, context) -> {
			handled.incrementAndGet();
			return null;
		}).start()) {
			server.enqueue(RedisState.message(QUEUE, "t1").build());
			server.enqueue(RedisState.message(QUEUE, "t2").build());
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertCounters(QUEUE, 2, 0));
			await().dontCatchUncaughtExceptions().until(() -> server.server().statistics().activeWorkers() == 0);
			assertThat(handled).hasValue(2);
		}
	}

	@Test
	void hangingErrorHandlerBlocksSlotButNotOutcome() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = hanging().errors((task, context, error) -> hang(interrupted, release))
			.handling((task, context) -> sneak(new IllegalStateException("boom")))
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "hangs").build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "hangs"));
			assertThat(this.state.stored(QUEUE, "hangs").errorMessage()).contains("boom");
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().statistics().activeWorkers()).isOne();
			release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
		}
	}

	@Test
	void errorHandlerHangingAfterDeadlineBlocksSlotButNotOutcome() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = hanging().errors((task, context, error) -> hang(interrupted, release))
			.handling((task, context) -> {
				new CountDownLatch(1).await();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "hangs").timeoutSeconds(3).build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "hangs"));
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().statistics().activeWorkers()).isOne();
			release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
		}
	}

	@Test
	void hangingRetryPolicyBlocksSlotButNotOutcome() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = hanging().delay((retried, error, task) -> {
			hang(interrupted, release);
			return Duration.ZERO;
		}).handling((task, context) -> {
			new CountDownLatch(1).await();
			return null;
		}).start()) {
			server.enqueue(RedisState.message(QUEUE, "hangs").timeoutSeconds(3).build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "hangs"));
			assertThat(this.state.stored(QUEUE, "hangs").errorMessage()).isEqualTo("context deadline exceeded");
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
		}
	}

	@Test
	@Tag("slow")
	void errorHandlerHangingAfterLostLeaseIsInterrupted() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = hanging().lease(Duration.ofSeconds(8))
			// A second look of the recoverer would give the task another lease
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300))
				.recoverInterval(Duration.ofMinutes(5))
				.stuckHandlerTimeout(Duration.ofMillis(300)))
			.errors((task, context, error) -> hang(interrupted, release))
			.handling((task, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "hangs").build());
			assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete("asynq:{default}:lease");
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().statistics().leasesLost()).isOne();
			release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
		}
	}

	/**
	 * Tasks of a killed server; the policy hangs forever for one of them.
	 */
	@Test
	@Tag("slow")
	void policyHangingInRecoveryDoesNotBlockRecoveryOfOthers() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger hanging = new AtomicInteger();
		this.state.seedActive(Instant.now().minusSeconds(60), RedisState.message(QUEUE, "hangs").build(),
				RedisState.message(QUEUE, "second").build());
		this.state.seedActive(Instant.now().minusSeconds(60), RedisState.message("other", "third").build());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue(QUEUE, 1)
				.queue("other", 1)
				.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500))
				// The policy is not called if its thread has not begun by then
				.stuckHandlerTimeout(Duration.ofSeconds(3)))
			.delay((retried, error, task) -> {
				hanging.incrementAndGet();
				hang(interrupted, release);
				return Duration.ofHours(1);
			})
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "hangs", "second"));
			await().untilAsserted(() -> this.state.assertRetry("other", "third"));
			assertThat(this.state.stored(QUEUE, "hangs").errorMessage()).isEqualTo("asynq: task lease expired");
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			// It gets no other task while it hangs
			assertThat(hanging).hasValue(1);
			await().untilAsserted(() -> assertThat(server.server().statistics().recovered()).isEqualTo(3));
			release.countDown();
		}
	}

	@Test
	void stopDoesNotWaitForPolicyHangingInRecovery() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.state.seedActive(Instant.now().minusSeconds(60), RedisState.message(QUEUE, "hangs").build());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500))
				.stuckHandlerTimeout(Duration.ofDays(1)))
			.delay((retried, error, task) -> {
				asked.countDown();
				hang(interrupted, release);
				return Duration.ofHours(1);
			})
			.handling((task, context) -> null)
			.start()) {
			assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
			server.stop();
			// The next server asks again
			this.state.assertActive(QUEUE, "hangs");
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			release.countDown();
		}
	}

	@Test
	void policyThatStopsItsServerInRecoveryStopsNoOther() throws Exception {
		AtomicReference<TestServer> own = new AtomicReference<>();
		CountDownLatch stopped = new CountDownLatch(1);
		this.state.seedActive(Instant.now().minusSeconds(60), RedisState.message(QUEUE, "stops").build());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.delay((retried, error, task) -> {
				own.get().stop();
				stopped.countDown();
				return Duration.ofHours(1);
			})
			.handling((task, context) -> null)) {
			own.set(server);
			server.start();
			assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "stops"));
		}
	}

	@Test
	void hangingDecoratorIsInterruptedAtDeadline() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		try (TestServer server = hanging().decorator((attempt) -> {
			if (calls.getAndIncrement() == 0) {
				hang(interrupted, release);
			}
			return attempt;
		}).handling((task, context) -> null).start()) {
			server.enqueue(RedisState.message(QUEUE, "hangs").timeoutSeconds(3).build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "hangs"));
			assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
			server.enqueue(RedisState.message(QUEUE, "sound").build());
			await().untilAsserted(() -> assertThat(this.state.exists("asynq:{default}:t:sound")).isFalse());
			release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
		}
	}

	/**
	 * Handlers exceed their deadline while the error handler is slower than that: only as
	 * many tasks are active as there are slots.
	 */
	@Test
	@Tag("slow")
	void slowErrorHandlerDoesNotAdmitMoreTasksThanSlots() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger told = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.concurrency(3))
			.errors((task, context, error) -> {
				told.incrementAndGet();
				awaitQuietly(release);
			})
			.handling((task, context) -> {
				new CountDownLatch(1).await();
				return null;
			})) {
			for (int i = 0; i < 9; i++) {
				server.enqueue(RedisState.message(QUEUE, "t" + i).timeoutSeconds(3).build());
			}
			server.start();
			await().until(() -> told.get() == 3);
			assertThat(this.state.pending(QUEUE)).hasSize(6);
			assertThat(server.server().statistics().activeWorkers()).isEqualTo(3);
			release.countDown();
			await().atMost(Duration.ofSeconds(60)).until(() -> told.get() == 9);
			await().until(() -> server.server().statistics().activeWorkers() == 0);
		}
	}

	private TestServer.Builder hanging() {
		return TestServer.builder(this.factory)
			.options((options) -> options.stuckHandlerTimeout(Duration.ofMillis(300)));
	}

	private static Case handling(String name, String text, java.util.function.Supplier<Throwable> error) {
		return new Case("an exception with " + name, text, UnaryOperator.identity(), error);
	}

	private static Case decorated(String name, String text, TaskDecorator decorator) {
		AtomicInteger calls = new AtomicInteger();
		return new Case(name, text, (server) -> server
			.decorator((attempt) -> (calls.getAndIncrement() < 2) ? decorator.decorate(attempt) : attempt));
	}

	private static Throwable endless() {
		return new Hostile() {
			@Override
			public synchronized Throwable getCause() {
				return endless();
			}
		};
	}

	private static void hang(CountDownLatch interrupted, CountDownLatch release) {
		while (release.getCount() > 0) {
			try {
				release.await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@SuppressWarnings("unchecked")
	private static <T, E extends Throwable> T sneak(Throwable error) throws E {
		throw (E) error;
	}

	private record Case(String name, String text, UnaryOperator<TestServer.Builder> callbacks,
			java.util.function.Supplier<Throwable> error) {

		Case(String name, String text, UnaryOperator<TestServer.Builder> callbacks) {
			this(name, text, callbacks, () -> new IllegalStateException("boom"));
		}

		TestServer server(RedisConnectionFactory factory) {
			TaskHandlerFunction handler = (task, context) -> context.taskId().equals("sound") ? null
					: sneak(this.error.get());
			return this.callbacks.apply(TestServer.builder(factory)).handling(handler);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	private static class Hostile extends RuntimeException {

		Hostile() {
			super("boom");
		}

	}

	private static final class HostileOfOurs extends AsynqException {

		HostileOfOurs() {
			super("boom");
		}

		@Override
		public String getMessage() {
			throw new IllegalStateException("message");
		}

	}

}
