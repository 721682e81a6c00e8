package io.asynq.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.event.TaskOutcome;
import io.asynq.inspect.AsynqInspector;
import io.asynq.limit.TaskLimits;
import io.asynq.spring.boot.test.AutoConfigureAsynq.Mode;
import io.asynq.spring.boot.test.Shop.Mail;
import io.asynq.spring.boot.test.Shop.Mails;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SpringBootTest(properties = { "asynq.server.queues.default=1", "asynq.server.queues.critical.weight=2",
		"asynq.server.queues.critical.limit=mails", "asynq.limits.mails.concurrent=1", "asynq.limits.mails.rate=1/h",
		"asynq.server.unknown-types-max-age=5m" })
@AutoConfigureAsynq(mode = Mode.DRAIN)
class DrainModeTests {

	@Autowired
	private Mails mails;

	@Autowired
	private TestAsynq asynq;

	@Autowired
	private AsynqClient client;

	@Autowired
	private AsynqInspector inspector;

	@Autowired
	private TaskLimits limits;

	@BeforeEach
	void forget() {
		this.mails.log.clear();
	}

	@Test
	void tasksRunWhenTheyAreDrainedWithWhatTheyEnqueue() {
		this.client.enqueue("mail:send", new Mail("ada", "again"));
		assertThat(this.mails.log).isEmpty();
		assertThat(this.asynq.drain()).hasSize(2).allSatisfy((attempt) -> assertThat(attempt).isSucceeded());
		assertThat(this.asynq.drain()).isEmpty();
		assertThat(this.asynq.attempts()).hasSize(2);
	}

	@Test
	void taskWithoutHandlerWaitsAndIsArchivedAtLast() {
		String id = this.client.enqueue("nobody").id();
		for (long wait : List.of(1L, 1L, 2L)) {
			Instant before = this.asynq.now();
			assertThat(this.asynq.drain()).filteredOn((attempt) -> attempt.type().equals("nobody"))
				.singleElement()
				.satisfies((attempt) -> assertThat(attempt).isPostponed());
			// It waits for as long as it has waited, so a machine under load makes it
			// longer
			Instant due = this.inspector.taskInfo("default", id).nextProcessAt();
			assertThat(due).isBetween(before.plusSeconds(wait).truncatedTo(ChronoUnit.SECONDS),
					this.asynq.now().plusSeconds(wait + 20));
			this.asynq.advance(Duration.between(this.asynq.now(), due.plusSeconds(1)));
		}
		assertThat(this.inspector.taskInfo("default", id).retried()).isZero();
		this.asynq.advance(Duration.ofMinutes(5));
		assertThat(this.asynq.drain()).filteredOn((attempt) -> attempt.type().equals("nobody"))
			.singleElement()
			.satisfies((attempt) -> assertThat(attempt).isArchived());
		assertThat(this.inspector.taskInfo("default", id).state()).isEqualTo(TaskState.ARCHIVED);
		assertThat(this.inspector.taskInfo("default", id).lastError()).contains("no server had a handler");
	}

	@Test
	void limitsHoldNothingBackAndNoneIsListed() {
		this.client.enqueue("mail:one");
		this.client.enqueue("mail:one");
		this.client.enqueue("mail:send", new Mail("ada", "hello"), (o) -> o.queue("critical"));
		this.client.enqueue("mail:send", new Mail("ada", "hello"), (o) -> o.queue("critical"));
		assertThat(this.asynq.drain()).hasSize(4).allSatisfy((attempt) -> assertThat(attempt).isSucceeded());
		assertThat(this.inspector.limits()).isEmpty();
		assertThat(this.inspector.limitKeys("mail:one", 10)).isEmpty();
	}

	@Test
	void tokensOfASemaphoreAreHeldUntilTheyAreReleasedOrExpire() {
		this.client.enqueue("office", "fail", (o) -> o.timeout(Duration.ofMinutes(3)));
		this.client.enqueue("office", "sort");
		assertThat(drainOffice()).containsExactly(TaskOutcome.RETRIED, TaskOutcome.POSTPONED);
		this.asynq.advance(Duration.ofSeconds(5));
		assertThat(drainOffice()).containsExactly(TaskOutcome.POSTPONED);
		this.asynq.advance(Duration.ofMinutes(4));
		assertThat(drainOffice()).containsExactly(TaskOutcome.SUCCEEDED, TaskOutcome.RETRIED);
		this.asynq.reset();
		this.client.enqueue("office", "sort");
		assertThat(drainOffice()).containsExactly(TaskOutcome.SUCCEEDED);
	}

	@Test
	void limitsCannotBeChanged() {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.limits.reset("mail:one"))
			.withMessageContaining("TaskLimits.reset")
			.withMessageContaining("real Redis");
	}

	@Test
	void heavierQueueComesFirstAndPausedOneNotAtAll() {
		this.client.enqueue("mail:send", new Mail("default", "hello"));
		this.client.enqueue("mail:send", new Mail("critical", "hello"), (o) -> o.queue("critical"));
		assertThat(this.asynq.drain()).extracting(TaskAttempt::queue).containsExactly("critical", "default");
		this.inspector.pauseQueue("critical");
		this.client.enqueue("mail:send", new Mail("critical", "hello"), (o) -> o.queue("critical"));
		assertThat(this.asynq.drain()).isEmpty();
		this.inspector.resumeQueue("critical");
		assertThat(this.asynq.drain()).hasSize(1);
	}

	@Test
	void scheduledTaskRunsWhenItsTimeHasCome() {
		this.mails.order(new Mail("ada", "hello"));
		this.asynq.advance(Duration.ofMinutes(9));
		assertThat(drainMails()).isEmpty();
		this.asynq.advance(Duration.ofMinutes(1));
		assertThat(drainMails()).singleElement().satisfies((attempt) -> assertThat(attempt).isSucceeded());
	}

	@Test
	void failedTaskIsRetriedAfterTheDelayOfThePolicy() {
		this.client.enqueue("mail:send", new Mail("ada", "fail once"));
		assertThat(drainMails()).singleElement()
			.satisfies((attempt) -> assertThat(attempt).isRetried().after(Duration.ofMinutes(1)));
		this.asynq.advance(Duration.ofSeconds(50));
		assertThat(drainMails()).isEmpty();
		this.asynq.advance(Duration.ofSeconds(10));
		assertThat(drainMails()).singleElement().satisfies((attempt) -> {
			assertThat(attempt).isSucceeded();
			assertThat(attempt.retried()).isEqualTo(1);
		});
	}

	@Test
	void taskIsArchivedWhenItsRetriesAreUsedUp() {
		this.client.enqueue("mail:send", new Mail("ada", "fail"), (o) -> o.maxRetry(2).taskId("t1"));
		for (int i = 0; i < 5; i++) {
			this.asynq.drain();
			this.asynq.advance(Duration.ofMinutes(5));
		}
		assertThat(this.asynq.attempts()).filteredOn(DrainModeTests::isMail)
			.extracting((attempt) -> attempt.outcome().value())
			.containsExactly("retried", "retried", "archived");
		assertThat(this.inspector.taskInfo("default", "t1").state()).isEqualTo(TaskState.ARCHIVED);
	}

	@Test
	void periodicTasksFireAtEachOfTheirTimes() {
		this.asynq.advance(Duration.ofMinutes(60));
		assertThat(this.asynq.tasks()).enqueued("mail:digest").times(6);
		assertThat(this.asynq.drain()).hasSize(6);
		assertThat(this.mails.log).filteredOn("digest"::equals).hasSize(6);
	}

	@Test
	void retentionEnds() {
		this.client.enqueue("mail:send", new Mail("ada", "hello"),
				(o) -> o.retention(Duration.ofHours(1)).taskId("t1"));
		this.asynq.drain();
		this.asynq.advance(Duration.ofMinutes(59));
		assertThat(new String(this.inspector.taskInfo("default", "t1").result())).contains("sent to ada");
		this.asynq.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(TaskNotFoundException.class)
			.isThrownBy(() -> this.inspector.taskInfo("default", "t1"));
	}

	@Test
	void uniqueLockEnds() {
		enqueueUnique();
		this.asynq.advance(Duration.ofMinutes(59));
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(this::enqueueUnique);
		this.asynq.advance(Duration.ofMinutes(1));
		enqueueUnique();
		assertThat(this.asynq.tasks().ofType("mail:send")).hasSize(2);
	}

	@Test
	void clockGoesToTheTimeAtWhichATaskIsDue() {
		this.client.enqueue("mail:send", new Mail("ada", "fail once"), (o) -> o.taskId("t1"));
		drainMails();
		Instant due = this.inspector.taskInfo("default", "t1").nextProcessAt();
		this.asynq.advanceTo(due.minusSeconds(10));
		assertThat(drainMails()).isEmpty();
		this.asynq.advanceTo(due);
		assertThat(this.asynq.now()).isAfterOrEqualTo(due);
		assertThat(drainMails()).singleElement().satisfies((attempt) -> assertThat(attempt).isSucceeded());
		assertThatIllegalArgumentException().isThrownBy(() -> this.asynq.advanceTo(due))
			.withMessageContaining("only be moved ahead")
			.withMessageContaining(due.toString());
	}

	@Test
	void clockGoesAheadOnlyAndStartsAnewWithEachTest() {
		Instant before = this.asynq.now();
		this.asynq.advance(Duration.ofDays(1));
		assertThat(this.asynq.now()).isAfterOrEqualTo(before.plus(Duration.ofDays(1)));
		for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.asynq.advance(wrong))
				.withMessageContaining(wrong.toString());
		}
		this.asynq.reset();
		assertThat(this.asynq.now()).isBefore(before.plus(Duration.ofDays(1)));
		assertThat(this.asynq.tasks()).isEmpty();
	}

	/** Periodic tasks may be due as well. */
	private List<TaskAttempt> drainMails() {
		return this.asynq.drain().stream().filter(DrainModeTests::isMail).toList();
	}

	private List<TaskOutcome> drainOffice() {
		return this.asynq.drain()
			.stream()
			.filter((attempt) -> attempt.type().equals("office"))
			.map(TaskAttempt::outcome)
			.toList();
	}

	private static boolean isMail(TaskAttempt attempt) {
		return attempt.type().equals("mail:send");
	}

	private void enqueueUnique() {
		this.client.enqueue("mail:send", new Mail("ada", "hello"), (o) -> o.unique(Duration.ofHours(1)));
	}

}
