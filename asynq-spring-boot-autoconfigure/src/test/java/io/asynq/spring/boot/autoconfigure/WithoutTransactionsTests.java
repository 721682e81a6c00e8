package io.asynq.spring.boot.autoconfigure;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.internal.text.LogCapture;
import io.asynq.metrics.QueueMetrics;
import io.asynq.operations.attention.Severity;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application without Spring's transactions. A {@code FilteredClassLoader} would not
 * show it: classes of asynq would still be loaded, and linked, by the usual loader.
 */
class WithoutTransactionsTests {

	@Test
	void clientStartsThatIsToWaitForThem() throws Exception {
		try (URLClassLoader without = new WithoutTransactions()) {
			Callable<?> probe = (Callable<?>) without.loadClass(Probe.class.getName()).getConstructor().newInstance();
			assertThat(probe.getClass()).isNotSameAs(Probe.class);
			assertThat(probe.call()).isEqualTo("started");
		}
	}

	/**
	 * Starts an application's context in its own class loader.
	 */
	public static final class Probe implements Callable<String> {

		private String result = "not run";

		@Override
		public String call() {
			AsynqContexts.wired()
				.withClassLoader(Probe.class.getClassLoader())
				.withPropertyValues("asynq.client.after-commit=true")
				.run((context) -> {
					Throwable failure = context.getStartupFailure();
					this.result = (failure != null) ? String.valueOf(failure)
							: (context.getBeanNamesForType(AsynqClient.class).length == 1) ? "started" : "no client";
				});
			return this.result;
		}

	}

	/**
	 * Loads asynq again and hides Spring's transactions from it.
	 */
	private static final class WithoutTransactions extends URLClassLoader {

		WithoutTransactions() {
			super(Stream
				.of(AsynqClient.class, QueueMetrics.class, Severity.class, AsynqAutoConfiguration.class,
						WithoutTransactionsTests.class, LogCapture.class, TestRedis.class)
				.map(WithoutTransactions::location)
				.toArray(URL[]::new), WithoutTransactionsTests.class.getClassLoader());
		}

		private static URL location(Class<?> type) {
			return type.getProtectionDomain().getCodeSource().getLocation();
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.startsWith("org.springframework.transaction.")) {
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
