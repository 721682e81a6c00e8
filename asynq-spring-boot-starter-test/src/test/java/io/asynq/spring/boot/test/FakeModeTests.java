package io.asynq.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerState;
import io.asynq.spring.boot.test.Shop.Mail;
import io.asynq.spring.boot.test.Shop.Mails;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SpringBootTest(properties = "spring.data.redis.url=redis://localhost:1")
@AutoConfigureAsynq
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FakeModeTests {

	private static final Mail MAIL = new Mail("ada@example.com", "hello");

	@Autowired
	private Mails mails;

	@Autowired
	private EnqueuedTasks tasks;

	@Autowired
	private TestAsynq asynq;

	@Autowired
	private AsynqClient client;

	@Autowired
	private AsynqInspector inspector;

	@Test
	void enqueuedTaskIsRecordedAndDoesNotRun() {
		this.mails.order(MAIL);
		assertThat(this.tasks).enqueued("mail:send")
			.once()
			.inQueue("critical")
			.withPayload(MAIL)
			.processIn(Duration.ofMinutes(10));
		assertThat(this.tasks.ofType("mail:send").get(0).payload(Mail.class)).isEqualTo(MAIL);
		this.client.enqueue("mail:send", MAIL);
		assertThat(this.mails.log).isEmpty();
		assertThat(this.asynq.attempts()).isEmpty();
		assertThat(this.asynq.tasks()).isSameAs(this.tasks);
	}

	@Test
	@Order(1)
	void whatTheStartHasEnqueuedIsForgotten() {
		assertThat(this.tasks).isEmpty();
		assertThat(this.inspector.queues()).isEmpty();
		this.client.enqueue("left", null, (o) -> o.unique(Duration.ofHours(1)));
	}

	@Test
	@Order(2)
	void whatAnotherTestHasEnqueuedIsForgottenWithItsLock() {
		assertThat(this.tasks).isEmpty();
		this.client.enqueue("left", null, (o) -> o.unique(Duration.ofHours(1)));
		assertThat(this.tasks).enqueued("left").once().unique();
	}

	@Test
	void refusedTaskIsNotRecorded() {
		this.client.enqueue("mail:send", MAIL, (o) -> o.unique(Duration.ofHours(1)));
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> this.client.enqueue("mail:send", MAIL, (o) -> o.unique(Duration.ofHours(1))));
		assertThat(this.tasks).hasSize(1);
	}

	@Test
	void inspectorSeesAndChangesTasks() {
		this.mails.order(MAIL);
		String id = this.tasks.all().get(0).info().id();
		assertThat(this.inspector.listTasks("critical", TaskState.SCHEDULED, Page.first()))
			.extracting((task) -> task.id())
			.containsExactly(id);
		this.inspector.deleteTask("critical", id);
		assertThat(this.inspector.listTasks("critical", TaskState.SCHEDULED, Page.first())).isEmpty();
		assertThat(this.tasks).as("it was enqueued all the same").hasSize(1);
	}

	@Test
	void handlerCanBeRunByItself() {
		assertThat(this.asynq.run("mail:send", new Mail("ada@example.com", "again"))).isSucceeded();
		assertThat(this.tasks).as("enqueued by the handler").enqueued("mail:send").once().withPayload(MAIL);
	}

	@Test
	void neitherServerNorSchedulerNorRedisIsThere(@Autowired ApplicationContext context) {
		assertThat(context.getBean(AsynqServer.class).state()).isNotEqualTo(ServerState.ACTIVE);
		assertThat(context.getBean(AsynqScheduler.class).isRunning()).isFalse();
		assertThat(context.getBeanNamesForType(RedisBroker.class)).hasSize(1);
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("asynq-processor", "asynq-forwarder", "asynq-scheduler", "asynq-heartbeater");
	}

	@Test
	void unsupportedOperationsAreRefusedByName() {
		this.client.enqueue("mail:send", MAIL);
		List<Runnable> calls = List.of(() -> this.inspector.deleteQueue("default", true),
				() -> this.inspector.servers(), () -> this.inspector.memoryUsage("default"));
		List<String> names = List.of("AsynqInspector.deleteQueue", "AsynqInspector.servers",
				"AsynqInspector.memoryUsage");
		for (int i = 0; i < calls.size(); i++) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(calls.get(i)::run)
				.withMessageStartingWith(names.get(i) + ": ")
				.withMessageContaining("real Redis")
				.withMessageContaining("docs/testing.md");
		}
	}

	@Test
	void drainingIsRefused() {
		assertThatIllegalStateException().isThrownBy(this.asynq::drain)
			.withMessage("TestAsynq.drain() needs @AutoConfigureAsynq(mode = Mode.DRAIN), but the mode of this test is"
					+ " FAKE");
		assertThatIllegalStateException().isThrownBy(() -> this.asynq.advance(Duration.ofHours(1)))
			.withMessageContaining("advance(PT1H)");
		assertThatIllegalStateException().isThrownBy(() -> this.asynq.advanceTo(Instant.MAX))
			.withMessageContaining("advanceTo(");
	}

}
