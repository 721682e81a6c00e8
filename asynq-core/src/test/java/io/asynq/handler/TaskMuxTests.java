package io.asynq.handler;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.asynq.Task;
import io.asynq.TaskOptions;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link TaskMux}.
 */
class TaskMuxTests {

	private final TaskMux mux = new TaskMux();

	private final TaskContext context = Mockito.mock(TaskContext.class);

	@Test
	void prefersExactTypeThenLongestPrefix() throws Exception {
		this.mux.handle("mail", answering("short"))
			.handle("mail:welcome", answering("exact"))
			.handle("mail:", answering("long"));
		assertThat(process("mail:welcome")).isEqualTo("exact");
		assertThat(process("mail:welcome:again")).isEqualTo("exact");
		assertThat(process("mail:other")).isEqualTo("long");
		assertThat(process("mailbox")).isEqualTo("short");
		assertThat(process("mail")).isEqualTo("short");
	}

	@Test
	void prefersExactHandlerToAnyPrefix() throws Exception {
		this.mux.handle("mail:welcome", answering("prefix"))
			.handle(TypePattern.exact("mail:welcome"), answering("exact"), HandlerSettings.none());
		assertThat(process("mail:welcome")).isEqualTo("exact");
		assertThat(process("mail:welcome:again")).isEqualTo("prefix");
		assertThat(this.mux.pattern("mail:welcome")).hasValue("mail:welcome");
	}

	@Test
	void settingsOfHandlerApplyToItsTypes() {
		this.mux.handle(TypePattern.prefix("mail:"), answering("x"), settings(3, Duration.ofSeconds(10)))
			.handle("plain", answering("y"));
		assertThat(this.mux.defaults("mail:welcome").maxRetry()).isEqualTo(3);
		assertThat(this.mux.retry("mail:welcome").delay(0)).hasValue(Duration.ofSeconds(10));
		assertThat(this.mux.defaults("plain")).isSameAs(TaskOptions.none());
		assertThat(this.mux.retry("plain")).isSameAs(RetrySettings.none());
		assertThat(this.mux.retry("unknown")).isSameAs(RetrySettings.none());
	}

	@Test
	void retrySettingsOfTypeOverrideThoseOfHandler() {
		this.mux.retry(TypePattern.prefix(""), RetrySettings.builder().delay(Duration.ofSeconds(1)).build())
			.retry(TypePattern.exact("mail:welcome"), RetrySettings.builder().delay(Duration.ofSeconds(2)).build())
			.handle(TypePattern.prefix("mail:"), answering("x"), settings(3, Duration.ofSeconds(10)));
		assertThat(this.mux.retry("mail:welcome").delay(0)).hasValue(Duration.ofSeconds(2));
		assertThat(this.mux.retry("mail:other").delay(0)).hasValue(Duration.ofSeconds(1));
		assertThat(this.mux.retry("unknown").delay(0)).hasValue(Duration.ofSeconds(1));
	}

	@Test
	void longTypesAreNotCached() throws Exception {
		this.mux.handle("mail", answering("x"));
		String type = "mail" + "x".repeat(1_000_000);
		assertThat(process(type)).isEqualTo("x");
		WeakReference<String> reference = new WeakReference<>(type);
		type = null;
		await().until(() -> {
			System.gc();
			return reference.get() == null;
		});
	}

	@Test
	void partOfPatternIsNotMatched() {
		this.mux.handle("mail:welcome", answering("x"));
		assertThatExceptionOfType(HandlerNotFoundException.class).isThrownBy(() -> process("mail"))
			.withMessage("handler not found for task \"mail\"");
	}

	@Test
	void returnsPatternOfType() {
		TaskMux mux = new TaskMux().handle("email", (task, context) -> null)
			.handle("email:welcome", (task, context) -> null);
		assertThat(mux.pattern("email:welcome:de")).hasValue("email:welcome");
		assertThat(mux.pattern("email:bye")).hasValue("email");
		assertThat(mux.pattern("sms")).isEmpty();
	}

	@Test
	void matchesCaseSensitively() {
		this.mux.handle("Mail", answering("x"));
		assertThatExceptionOfType(HandlerNotFoundException.class).isThrownBy(() -> process("mail"));
	}

	@Test
	void rejectsBlankPattern() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.mux.handle(" ", answering("x")))
			.withMessageContaining("blank");
		assertThat(this.mux.isEmpty()).isTrue();
	}

	@Test
	void rejectsSecondHandlerForPattern() throws Exception {
		this.mux.handle("mail", answering("first"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.mux.handle("mail", answering("second")))
			.withMessageContaining("'mail'");
		assertThat(process("mail")).isEqualTo("first");
	}

	@Test
	void isEmptyUntilAHandlerIsRegistered() {
		assertThat(this.mux.isEmpty()).isTrue();
		this.mux.use((task, context, next) -> next.processTask(task, context));
		assertThat(this.mux.isEmpty()).isTrue();
		this.mux.handle("mail", answering("x"));
		assertThat(this.mux.isEmpty()).isFalse();
		assertThat(this.mux.patterns()).containsExactly(TypePattern.prefix("mail"));
	}

	@Test
	void firstRegisteredInterceptorIsOutermost() throws Exception {
		List<String> calls = new ArrayList<>();
		this.mux.handle("mail", (task, context) -> {
			calls.add("handler");
			return null;
		});
		this.mux.use(noting("first", calls)).use(noting("second", calls));
		process("mail");
		assertThat(calls).containsExactly("first in", "second in", "handler", "second out", "first out");
	}

	@Test
	void interceptorsWrapMissingHandler() {
		List<String> calls = new ArrayList<>();
		this.mux.use(noting("first", calls));
		assertThatExceptionOfType(HandlerNotFoundException.class).isThrownBy(() -> process("mail"));
		assertThat(calls).containsExactly("first in", "first out");
	}

	@Test
	void laterHandlersAndInterceptorsReplaceCachedResolution() throws Exception {
		this.mux.handle("mail", answering("prefix"));
		assertThat(process("mail:welcome")).isEqualTo("prefix");
		this.mux.handle("mail:welcome", answering("exact"));
		assertThat(process("mail:welcome")).isEqualTo("exact");
		this.mux.use((task, context, next) -> "intercepted".getBytes());
		assertThat(process("mail:welcome")).isEqualTo("intercepted");
	}

	@Test
	void resolvesMoreTypesThanItCaches() throws Exception {
		this.mux.handle("mail:", answering("all")).handle("mail:1999", answering("one"));
		for (int round = 0; round < 2; round++) {
			for (int i = 0; i < 2000; i++) {
				assertThat(process("mail:" + i)).isEqualTo((i == 1999) ? "one" : "all");
			}
		}
	}

	@Test
	void canBeNestedInAnotherMux() throws Exception {
		this.mux.handle("mail:", new TaskMux().handle("mail:welcome", answering("nested")));
		assertThat(process("mail:welcome")).isEqualTo("nested");
	}

	@Test
	void concurrentRegistrationsLoseNoHandler() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			CountDownLatch go = new CountDownLatch(1);
			List<Future<?>> done = new ArrayList<>();
			for (int t = 0; t < 4; t++) {
				int thread = t;
				done.add(threads.submit(() -> {
					go.await();
					for (int i = 0; i < 50; i++) {
						String type = "t" + thread + ":" + i + ";";
						this.mux.handle(type, answering(type));
						assertThat(process(type)).isEqualTo(type);
					}
					return null;
				}));
			}
			go.countDown();
			for (Future<?> one : done) {
				one.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.mux.patterns()).hasSize(200);
	}

	private String process(String type) throws Exception {
		byte[] result = this.mux.processTask(Task.of(type, "x"), this.context);
		return (result != null) ? new String(result) : null;
	}

	private static TaskHandlerFunction answering(String answer) {
		return (task, context) -> answer.getBytes();
	}

	private static TaskInterceptor noting(String name, List<String> calls) {
		return (task, context, next) -> {
			calls.add(name + " in");
			try {
				return next.processTask(task, context);
			}
			finally {
				calls.add(name + " out");
			}
		};
	}

	private static HandlerSettings settings(int maxRetry, Duration delay) {
		return new HandlerSettings(HandlerLimits.none(), TaskOptions.of((options) -> options.maxRetry(maxRetry)),
				RetrySettings.builder().delay(delay).build());
	}

}
