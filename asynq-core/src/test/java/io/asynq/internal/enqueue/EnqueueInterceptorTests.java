package io.asynq.internal.enqueue;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.EnqueueInterceptor;
import io.asynq.InvalidTaskException;
import io.asynq.OutgoingTask;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.event.Observers;
import io.asynq.test.FakeBroker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which tasks interceptors see, and what they can do.
 */
class EnqueueInterceptorTests {

	private final FakeBroker broker = new FakeBroker();

	@Test
	void seesTaskAndAddsHeaders() {
		TaskInfo info = client((task) -> {
			assertThat(task.payload()).asString().isEqualTo("hi");
			assertThat(task.headers()).containsOnly(Map.entry("a", "1"), Map.entry("b", "2"));
			task.header("seen", task.id() + " " + task.type() + " " + task.queue());
			task.header("a", null);
			task.header("b", "3");
		}).enqueue(Task.of("mail", "hi").withHeaders(Map.of("a", "1")),
				TaskOptions.of((o) -> o.queue("low").taskId("t1").header("b", "2")));
		assertThat(info.headers()).containsOnly(Map.entry("seen", "t1 mail low"), Map.entry("b", "3"));
		assertThat(this.broker.lastRequest().message().headers()).isEqualTo(info.headers());
	}

	@Test
	void areCalledInOrderAndSeeHeadersOfThoseBefore() {
		client((task) -> task.header("order", "1"), (task) -> task.header("order", task.headers().get("order") + "2"))
			.enqueue("mail");
		assertThat(this.broker.lastRequest().message().headers()).containsOnly(Map.entry("order", "12"));
	}

	@Test
	void seeTasksOfEveryWayOnce() {
		List<String> seen = new ArrayList<>();
		EnqueueInterceptor noting = (task) -> seen.add(task.type());
		AsynqClient client = client(noting);
		client.enqueue("single");
		client.enqueueAll(List.of(Task.of("batch1", ""), Task.of("batch2", "")));
		new TestDatabase().transaction().executeWithoutResult((status) -> {
			client.afterCommit().enqueue("deferred");
			client.afterCommit().enqueueAll(List.of(Task.of("deferred batch", "")));
			assertThat(seen).endsWith("deferred", "deferred batch");
		});
		DefaultAsynqClient fires = new DefaultAsynqClient(this.broker.enqueuer(), options(noting), Observers.none(),
				null);
		fires.send(fires.request(Task.of("fire", ""), TaskOptions.none()));
		assertThat(seen).containsExactly("single", "batch1", "batch2", "deferred", "deferred batch", "fire");
		assertThat(this.broker.requests).hasSize(6);
	}

	@Test
	void errorNamesInterceptorAndTaskAndNothingIsEnqueued() {
		EnqueueInterceptor failing = new Failing();
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> client(failing).enqueue("mail", (o) -> o.taskId("t1").queue("low")))
			.withMessageContainingAll(Failing.class.getName(), "task t1 (mail)", "queue low", "no tenant")
			.withCauseInstanceOf(StackOverflowError.class);
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void errorThatCannotTellItsMessageIsReportedToo() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> client((task) -> {
			throw new Mute();
		}).enqueue("mail")).withMessageEndingWith(": " + Mute.class.getName());
	}

	@Test
	void errorInTransactionIsThrownByTheCall() {
		AsynqClient client = client(new Failing());
		new TestDatabase().transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(AsynqException.class)
				.isThrownBy(() -> client.afterCommit().enqueue("mail")));
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void errorAffectsNoOtherTaskOfItsBatch() {
		List<EnqueueAttempt> attempts = client((task) -> {
			if (task.type().equals("b")) {
				throw new IllegalStateException("no tenant");
			}
		}).enqueueAll(List.of(Task.of("a", ""), Task.of("b", ""), Task.of("c", "")));
		assertThat(attempts).extracting(EnqueueAttempt::enqueued).containsExactly(true, false, true);
		assertThat(attempts.get(1).error()).hasMessageContaining("no tenant");
	}

	@Test
	void headersThatCannotBeStoredAreRefused() {
		for (EnqueueInterceptor wrong : List.<EnqueueInterceptor>of((task) -> task.header(" ", "x"),
				(task) -> task.header("a", "\ud800"))) {
			assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> client(wrong).enqueue("mail"))
				.withCauseInstanceOf(InvalidTaskException.class);
		}
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void headersCountAsSizeOfTask() {
		AsynqClient client = AsynqClient.create(this.broker,
				ClientOptions.builder()
					.clock(Clock.systemUTC())
					.maxPayloadSize(10)
					.interceptor((task) -> task.header("name", "1234567"))
					.build());
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> client.enqueue("mail"))
			.withMessageContaining("1 headers of task type 'mail' have 11 bytes");
	}

	private AsynqClient client(EnqueueInterceptor... interceptors) {
		return AsynqClient.create(this.broker, options(interceptors));
	}

	private static ClientOptions options(EnqueueInterceptor... interceptors) {
		ClientOptions.Builder options = ClientOptions.builder().clock(Clock.systemUTC());
		List.of(interceptors).forEach(options::interceptor);
		return options.build();
	}

	private static final class Failing implements EnqueueInterceptor {

		@Override
		public void beforeEnqueue(OutgoingTask task) {
			throw new StackOverflowError("no tenant");
		}

	}

	private static final class Mute extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("mute");
		}

	}

}
