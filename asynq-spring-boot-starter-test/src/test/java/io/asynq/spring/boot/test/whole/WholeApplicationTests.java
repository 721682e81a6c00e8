package io.asynq.spring.boot.test.whole;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqClient;
import io.asynq.TaskState;
import io.asynq.event.TaskEvent;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.spring.boot.test.AutoConfigureAsynq;
import io.asynq.spring.boot.test.AutoConfigureAsynq.Mode;
import io.asynq.spring.boot.test.TaskAttempt;
import io.asynq.spring.boot.test.TestAsynq;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Everything that an application may have around its tasks works beside the fake.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureAsynq(mode = Mode.DRAIN)
@ActiveProfiles("bank")
@RecordApplicationEvents
@Timeout(120)
class WholeApplicationTests {

	@Autowired
	private TestAsynq asynq;

	@Autowired
	private AsynqClient client;

	@Autowired
	private AsynqInspector inspector;

	@Autowired
	private Transfers transfers;

	@Autowired
	private Journal journal;

	@BeforeEach
	void forget() {
		this.journal.lines.clear();
		this.journal.threadsOfListeners.clear();
	}

	@Test
	void decoratorErrorHandlerAndListenersSeeTheAttemptBeforeTheCallReturns() {
		this.client.enqueue("transfer:fail");
		assertThat(this.journal.lines).containsExactly("Enqueued transfer:fail");
		this.journal.lines.clear();
		this.asynq.drain();
		assertThat(this.journal.lines).containsExactly("taken from default", "decorated", "Started transfer:fail",
				"error no line to the other bank", "Failed transfer:fail", "Retried transfer:fail", "undecorated");
		assertThat(this.journal.threadsOfListeners).containsExactly(Thread.currentThread());
	}

	@Test
	void eventsThatArePublishedAreRecordedBySpring(@Autowired ApplicationEvents events) {
		group("a");
		this.asynq.advance(Duration.ofMinutes(1));
		this.asynq.drain();
		assertThat(events.stream(TaskEvent.Aggregated.class)).singleElement()
			.satisfies((event) -> assertThat(event.members()).isEqualTo(1));
	}

	@Test
	void retryRuleOfTheHandlerCounts() {
		assertThat(this.asynq.run("transfer:fail", null)).isRetried().after(Duration.ofMinutes(7));
	}

	@Test
	void contextAndHeadersOfInterceptorsTravelAndTheThreadKeepsItsOwn() {
		MDC.put("tenant", "acme");
		try {
			this.client.enqueue("transfer:confirm", "t1");
			MDC.put("tenant", "test");
			this.asynq.drain();
			assertThat(this.journal.lines).contains("confirmed t1 for acme");
			assertThat(MDC.get("tenant")).isEqualTo("test");
		}
		finally {
			MDC.clear();
		}
		assertThat(this.asynq.tasks()).enqueued("transfer:archive")
			.withHeader("tenant", "acme")
			.withHeader("branch", "north")
			.once();
	}

	@Test
	void taskIsEnqueuedIfAndOnlyIfItsTransactionCommitsAndTheOutboxIsOff(@Autowired ApplicationContext context) {
		assertThat(this.transfers.book("t1").state()).isEqualTo(TaskState.DEFERRED);
		assertThat(this.asynq.tasks()).enqueued("transfer:confirm").once().withPayload("t1");
		assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> this.transfers.book("t1"));
		assertThat(this.asynq.tasks()).hasSize(1);
		assertThat(context.getBeanNamesForType(TaskOutbox.class)).isEmpty();
	}

	@Test
	void metersAndObservationsHaveTheirValues(@Autowired MeterRegistry registry) {
		this.client.enqueue("transfer:confirm", "t1");
		await().atMost(1, TimeUnit.MINUTES).ignoreExceptions().until(() -> {
			// Whoever reads meters has queues read
			registry.get("asynq.queue.snapshot.age").gauge().value();
			return registry.get("asynq.queue.size").tag("queue", "default").gauge().value() == 1;
		});
		this.asynq.drain();
		assertThat(registry.get("asynq.task.process").tag("type", "transfer:confirm").timer().count()).isPositive();
		assertThat(registry.get("asynq.task.enqueue").tag("type", "transfer:archive").timer().count()).isPositive();
		assertThat(registry.get("asynq.task.wait").timer().count()).isPositive();
	}

	@Test
	void groupBecomesATaskWhenItsGracePeriodIsOver() {
		moveToAFullHour();
		group("a", "b");
		assertThat(this.asynq.drain()).isEmpty();
		this.asynq.advance(Duration.ofSeconds(50));
		group("c");
		this.asynq.advance(Duration.ofSeconds(50));
		assertThat(this.asynq.drain()).isEmpty();
		assertThat(this.inspector.groups("default")).singleElement()
			.satisfies((group) -> assertThat(group.size()).isEqualTo(3));
		this.asynq.advance(Duration.ofSeconds(10));
		assertThat(this.asynq.drain()).extracting(TaskAttempt::type).containsExactly("digest");
		assertThat(this.asynq.tasks()).enqueued("digest")
			.once()
			.withPayload("customer:7 [a, b, c]")
			.withHeader("branch", "north");
		assertThat(this.journal.lines).contains("sent customer:7 [a, b, c]", "Aggregated digest");
		assertThat(this.inspector.groups("default")).isEmpty();
	}

	@Test
	void groupThatIsLargeEnoughBecomesATaskAtOnce() {
		moveToAFullHour();
		group("a", "b", "c", "d", "e");
		assertThat(this.asynq.drain()).hasSize(1);
		assertThat(this.journal.lines).contains("sent customer:7 [a, b, c, d]");
		this.asynq.advance(Duration.ofMinutes(1));
		assertThat(this.asynq.drain()).hasSize(1);
		assertThat(this.journal.lines).contains("sent customer:7 [e]");
	}

	@Test
	void groupWhoseAggregatorFailsIsTriedAgainWithTheNextDrain() {
		moveToAFullHour();
		group("a", "unreadable");
		this.client.enqueue("transfer", "x", (o) -> o.group("nobody's"));
		this.asynq.advance(Duration.ofMinutes(1));
		assertThat(this.asynq.drain()).isEmpty();
		assertThat(this.inspector.groups("default")).extracting((group) -> group.size()).containsExactly(2L, 1L);
		this.inspector.deleteTask("default", "unreadable");
		assertThat(this.asynq.drain()).hasSize(1);
		assertThat(this.journal.lines).contains("sent customer:7 [a]");
	}

	@Test
	void schedulerListenersSeeEachFire() {
		this.asynq.advance(Duration.ofHours(2));
		assertThat(this.journal.lines).filteredOn((line) -> line.endsWith(" balance"))
			.containsExactly("before balance", "Enqueued balance", "after balance", "before balance",
					"Enqueued balance", "after balance");
	}

	@Test
	void handlerIsInterruptedAtItsDeadline() {
		assertThat(this.asynq.run("transfer:hang", null)).isRetried()
			.error()
			.isInstanceOf(TaskDeadlineExceededException.class);
		assertThat(this.journal.lines).contains("begun", "interrupted", "Retried transfer:hang");
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(this.asynq.run("transfer:patient", null)).as("the next one is left alone").isSucceeded();
	}

	@Test
	void taskWhoseDeadlineIsOverDoesNotRun() {
		Instant deadline = this.asynq.now().plus(Duration.ofHours(1));
		this.client.enqueue("transfer:patient", null, (o) -> o.deadline(deadline));
		this.asynq.advance(Duration.ofHours(1));
		assertThat(this.asynq.drain()).first()
			.satisfies((attempt) -> assertThat(attempt).isRetried()
				.error()
				.isInstanceOf(TaskDeadlineExceededException.class));
		assertThat(this.journal.lines).noneMatch((line) -> line.startsWith("until"));
	}

	/**
	 * The balance is due at each full hour, and would come between. The hour after the
	 * next, because the next one may begin before the clock is moved.
	 */
	private void moveToAFullHour() {
		this.asynq.advanceTo(this.asynq.now().truncatedTo(ChronoUnit.HOURS).plus(2, ChronoUnit.HOURS));
		this.asynq.drain();
		this.journal.lines.clear();
	}

	private void group(String... transfers) {
		List.of(transfers)
			.forEach((transfer) -> this.client.enqueue("transfer", transfer,
					(o) -> o.group("customer:7").taskId(transfer)));
	}

}
