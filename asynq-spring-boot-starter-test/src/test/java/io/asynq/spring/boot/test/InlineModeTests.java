package io.asynq.spring.boot.test;

import java.time.Duration;

import io.asynq.AsynqClient;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.test.AutoConfigureAsynq.Mode;
import io.asynq.spring.boot.test.Shop.Mail;
import io.asynq.spring.boot.test.Shop.Mails;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SpringBootTest(properties = { "asynq.server.queues.default=1", "asynq.server.queues.critical=2" })
@AutoConfigureAsynq(mode = Mode.INLINE)
class InlineModeTests {

	@Autowired
	private Mails mails;

	@Autowired
	private TestAsynq asynq;

	@Autowired
	private AsynqClient client;

	@Autowired
	private AsynqInspector inspector;

	@BeforeEach
	void forget() {
		this.mails.log.clear();
	}

	@Test
	void taskRunsBeforeTheCallReturnsWithItsInterceptors() {
		this.client.enqueue("mail:send", new Mail("ada", "hello"));
		assertThat(this.mails.log).containsExactly("before mail:send", "send ada 0", "sent ada");
		assertThat(this.asynq.attempts()).singleElement().satisfies((attempt) -> assertThat(attempt).isSucceeded());
	}

	@Test
	void taskOfABeanThatIsBeingCreatedRunsWhenAllHandlersAreKnown() {
		assertThat(this.mails.logOfStart).containsExactly("before mail:digest", "digest", "before mail:start", "start");
	}

	@Test
	void taskThatAHandlerEnqueuesRunsAfterwards() {
		this.client.enqueue("mail:send", new Mail("ada", "again"));
		assertThat(this.mails.log).containsSubsequence("send ada 0", "sent ada", "send ada 0", "sent ada");
		assertThat(this.asynq.attempts()).hasSize(2);
	}

	@Test
	void failureDecidesTheOutcomeAndDoesNotReachTheCaller() {
		this.client.enqueue("mail:send", new Mail("ada", "fail"), (o) -> o.taskId("t1"));
		assertThat(this.asynq.attempts().get(0)).isRetried()
			.after(Duration.ofMinutes(1))
			.error()
			.hasMessage("no mail server");
		assertThat(this.inspector.taskInfo("default", "t1").state()).isEqualTo(TaskState.RETRY);
		assertThat(this.inspector.taskInfo("default", "t1").lastError()).endsWith("no mail server");
	}

	@Test
	void everyOutcomeIsToldAsItIs() {
		assertThat(this.asynq.run("mail:send", new Mail("ada", "skip"))).isArchived();
		assertThat(this.asynq.run("mail:send", new Mail("ada", "revoke"))).isRevoked();
		assertThat(this.asynq.run("mail:send", new Mail("ada", "postpone"))).isPostponed()
			.after(Duration.ofSeconds(90));
		assertThat(this.asynq.run("mail:send", "no json")).isArchived().error().hasMessageContaining("Mail");
		assertThat(this.asynq.run("unknown", null)).isPostponed().error().hasMessageContaining("unknown");
		assertThat(this.asynq.run(this.client.task("mail:send", new Mail("ada", "fail"))
			.withOptions(TaskOptions.of((o) -> o.maxRetry(0))))).isArchived();
		assertThat(this.asynq.run(this.client.task("mail:send", new Mail("ada", "hello"))
			.withOptions(TaskOptions.of((o) -> o.retention(Duration.ofDays(1)))))).isSucceeded()
			.hasResult("sent to ada");
	}

	@Test
	void limitedHandlerGetsItsToken() {
		this.client.enqueue("mail:one");
		this.client.enqueue("mail:one");
		assertThat(this.asynq.attempts()).hasSize(2).allSatisfy((attempt) -> assertThat(attempt).isSucceeded());
	}

	@Test
	void scheduledTaskWaits() {
		this.mails.order(new Mail("ada", "hello"));
		assertThat(this.mails.log).isEmpty();
		assertThat(this.asynq.tasks()).enqueued("mail:send").once();
	}

	@Test
	void taskInAQueueThatIsNotServedWaits() {
		this.client.enqueue("mail:send", new Mail("ada", "hello"), (o) -> o.queue("other"));
		assertThat(this.mails.log).isEmpty();
		assertThat(this.inspector.queueInfo("other").size(TaskState.PENDING)).isEqualTo(1);
	}

	@Test
	void endlessChainIsNamed() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.client.enqueue("mail:send", new Mail("ada", "for ever")))
			.withMessageContaining("1000 tasks have run")
			.withMessageContaining("mail:send");
	}

}
