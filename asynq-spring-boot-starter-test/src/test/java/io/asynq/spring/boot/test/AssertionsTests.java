package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.event.TaskOutcome;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.spring.boot.test.Shop.Mail;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * That assertions fail, and what they say then.
 */
class AssertionsTests {

	private static final Mail MAIL = new Mail("ada", "hello");

	private final EnqueuedTasks tasks = new EnqueuedTasks(Clock.systemUTC(), DefaultPayloadConverter::new);

	@BeforeEach
	void enqueue() {
		AsynqClient client = AsynqClient.create(
				new TestBroker(Clock.systemUTC(), new RecordedTasks(Clock.systemUTC(), this.tasks::add)),
				ClientOptions.builder().clock(Clock.systemUTC()).build());
		client.enqueue("mail:send", MAIL, (o) -> o.queue("critical").header("tenant", "acme").taskId("t1"));
		client.enqueue("mail:send", new Mail("bob", "hello"),
				(o) -> o.processIn(Duration.ofMinutes(10)).unique(Duration.ofHours(1)));
		client.enqueue("report", null, (o) -> o.group("g"));
	}

	@Test
	void whatHoldsPasses() {
		assertThat(this.tasks).hasSize(3).notEnqueued("mail").enqueued("mail:send").times(2);
		assertThat(this.tasks).enqueued("mail:send")
			.withPayload(MAIL)
			.once()
			.inQueue("critical")
			.withHeader("tenant", "acme")
			.withId("t1")
			.processNow();
		assertThat(this.tasks).enqueued("mail:send").processIn(Duration.ofMinutes(10)).unique().once();
		assertThat(this.tasks).enqueued("report").inGroup("g").withoutPayload().once();
		assertThat(this.tasks).enqueued("mail:send")
			.withPayload("{\"to\":\"ada\",\"text\":\"hello\"}")
			.matching((task) -> task.info().maxRetry() == 25, "retried 25 times");
	}

	@Test
	void eachFailsWhereItDoesNotHold() {
		List<Consumer<EnqueuedTaskAssert>> wrong = List.of(EnqueuedTaskAssert::once, (mails) -> mails.times(3),
				(mails) -> mails.inQueue("low"), (mails) -> mails.withPayload(new Mail("eve", "hello")),
				(mails) -> mails.withPayload(List.of(1)), EnqueuedTaskAssert::withoutPayload,
				(mails) -> mails.withHeader("tenant", "other"), (mails) -> mails.withHeader("other", "acme"),
				(mails) -> mails.withId("t2"), (mails) -> mails.processIn(Duration.ofMinutes(9)),
				(mails) -> mails.inGroup("g"), (mails) -> mails.matching((task) -> false, "else"),
				(mails) -> mails.inQueue("critical").unique(), (mails) -> mails.inQueue("default").processNow());
		for (Consumer<EnqueuedTaskAssert> each : wrong) {
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> each.accept(assertThat(this.tasks).enqueued("mail:send")))
				.withMessageContaining("mail:send");
		}
		List<Consumer<EnqueuedTasksAssert>> about = List.of((all) -> all.enqueued("mail"),
				(all) -> all.notEnqueued("report"), EnqueuedTasksAssert::isEmpty, (all) -> all.hasSize(2));
		for (Consumer<EnqueuedTasksAssert> each : about) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> each.accept(assertThat(this.tasks)))
				.withMessageContaining("report in queue default, group g");
		}
	}

	@Test
	void failureShowsTheTasksThatWereEnqueued() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.tasks).enqueued("mail:send").inQueue("critical").withPayload("x"))
			.withMessage(("No task of type 'mail:send' is with the payload x, but:%n"
					+ "  mail:send in queue critical, headers {tenant=acme},"
					+ " payload {\"to\":\"ada\",\"text\":\"hello\"}, id t1")
				.formatted());
		this.tasks.clear();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.tasks).enqueued("mail:send"))
			.withMessage("No task of type 'mail:send' was enqueued, but nothing was enqueued at all");
	}

	@Test
	void attemptFailsWhereItDoesNotHoldWithWhatTheHandlerHasThrown() {
		Throwable cause = new IllegalStateException("no mail server");
		TaskAttempt attempt = new TaskAttempt("t1", "default", "mail:send", 0, TaskOutcome.RETRIED, cause,
				Duration.ofMinutes(1), null);
		assertThat(attempt).isRetried()
			.after(Duration.ofMinutes(1))
			.afterBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
		List<Consumer<TaskAttemptAssert>> wrong = List.of(TaskAttemptAssert::isSucceeded, TaskAttemptAssert::isArchived,
				TaskAttemptAssert::isPostponed, TaskAttemptAssert::isRevoked,
				(that) -> that.after(Duration.ofMinutes(2)),
				(that) -> that.afterBetween(Duration.ofMinutes(2), Duration.ofMinutes(3)),
				(that) -> that.hasResult("sent"));
		for (Consumer<TaskAttemptAssert> each : wrong) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> each.accept(assertThat(attempt)))
				.withMessageContaining("attempt 1 at task t1 (mail:send) in queue default: retried, again in PT1M");
		}
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(attempt).isSucceeded())
			.withCause(cause);
	}

}
