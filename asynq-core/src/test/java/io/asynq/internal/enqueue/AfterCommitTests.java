package io.asynq.internal.enqueue;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;

import ch.qos.logback.classic.Level;
import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.internal.text.LogCapture;
import io.asynq.test.FakeBroker;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests of {@link AfterCommit} on a broker without a store.
 */
class AfterCommitTests {

	private final FakeBroker broker = new FakeBroker();

	private final AsynqClient client = client(this.broker);

	private final TestDatabase database = new TestDatabase();

	@Test
	void tasksOfTransactionAreOneBatch() {
		this.database.transaction().executeWithoutResult((status) -> {
			this.client.afterCommit().enqueue("a");
			this.client.afterCommit().enqueueAll(List.of(Task.of("b", ""), Task.of("c", "")));
			this.client.afterCommit().enqueue("d");
			assertThat(this.broker.calls).hasValue(0);
		});
		assertThat(this.broker.calls).hasValue(1);
		assertThat(this.broker.requests).extracting((request) -> request.message().type())
			.containsExactly("a", "b", "c", "d");
	}

	@Test
	void unexpectedErrorDoesNotReachWhoHasCommitted() {
		this.broker.answer = (request) -> {
			throw new IllegalArgumentException("unexpected");
		};
		try (LogCapture log = LogCapture.of(LateSending.class, Level.WARN)) {
			assertThatNoException().isThrownBy(() -> this.database.transaction().executeWithoutResult((status) -> {
				this.database.insert(1);
				this.client.afterCommit().enqueue("a");
			}));
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage())
					.endsWith("IllegalArgumentException: unexpected"));
		}
		assertThat(this.broker.calls).hasValue(1);
		assertThat(this.database.orders()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.transaction.", "reactor." })
	void needsNeitherSpringsTransactionsNorReactor(String missing) throws Exception {
		try (URLClassLoader without = new Without(missing)) {
			Callable<?> probe = (Callable<?>) without.loadClass(Probe.class.getName()).getConstructor().newInstance();
			assertThat(probe.getClass()).isNotSameAs(Probe.class);
			assertThat(probe.call()).isEqualTo("pending, 1 sent");
		}
	}

	private static AsynqClient client(FakeBroker broker) {
		return AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
	}

	/**
	 * Enqueues as an application that lacks something would.
	 */
	public static final class Probe implements Callable<String> {

		@Override
		public String call() {
			FakeBroker broker = new FakeBroker();
			return client(broker).afterCommit().enqueue("mail").state().wireName() + ", " + broker.requests.size()
					+ " sent";
		}

	}

	/**
	 * Loads the library again and hides what it can do without.
	 */
	private static final class Without extends URLClassLoader {

		private final String missing;

		Without(String missing) {
			super(new URL[] { location(AsynqClient.class), location(AfterCommitTests.class),
					location(TestRedis.class) }, AfterCommitTests.class.getClassLoader());
			this.missing = missing;
		}

		private static URL location(Class<?> type) {
			return type.getProtectionDomain().getCodeSource().getLocation();
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.startsWith(this.missing)) {
				throw new ClassNotFoundException(name);
			}
			if (name.startsWith("io.asynq.")) {
				synchronized (getClassLoadingLock(name)) {
					Class<?> loaded = findLoadedClass(name);
					return (loaded != null) ? loaded : findClass(name);
				}
			}
			return super.loadClass(name, resolve);
		}

	}

}
