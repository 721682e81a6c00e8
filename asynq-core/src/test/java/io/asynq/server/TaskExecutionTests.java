package io.asynq.server;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.FailurePredicate;
import io.asynq.broker.Broker;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.broker.TaskCompleter;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class TaskExecutionTests {

	private final List<Outcome> written = new CopyOnWriteArrayList<>();

	private final ServerRuntime runtime = runtime();

	private final TaskExecution execution = new TaskExecution((task, context) -> null,
			new FailureDecision((retried, error, task) -> null, FailurePredicate.always()), this.runtime);

	private final AtomicInteger freed = new AtomicInteger();

	@Test
	void anAttemptWhoseWorkerIsGoneWithoutAWordIsPutBackAndTheLogSaysSo() {
		Logger logger = (Logger) LoggerFactory.getLogger(TaskExecution.class);
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		logger.addAppender(logged);
		try {
			Attempt attempt = taken("t1");
			this.execution.leave(attempt);
			assertThat(this.freed).as("slots that are free").hasValue(1);
			assertThat(this.runtime.active().running()).isEmpty();
			assertThat(this.runtime.active().held()).as("its lease is kept until it is put back")
				.containsExactly(attempt);
			writeOutcomes();
			assertThat(this.written).containsExactly(new Outcome.Requeue(attempt.leased()));
			assertThat(this.runtime.active().held()).isEmpty();
			assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage)
				.containsExactly("The worker of " + attempt
						+ " is gone without an outcome: it is put back to the front of its queue");
		}
		finally {
			logger.detachAppender(logged);
		}
	}

	@Test
	void whoeverIsStillThereConcludesWhatAnotherHasLeft() {
		Attempt attempt = taken("t1");
		assertThat(attempt.join()).isTrue();
		this.execution.leave(attempt);
		assertThat(this.freed).hasValue(0);
		this.execution.run(attempt);
		this.execution.leave(attempt);
		writeOutcomes();
		assertThat(this.freed).hasValue(1);
		assertThat(this.written).containsExactly(new Outcome.Done(attempt.leased()));
	}

	private Attempt taken(String id) {
		Attempt attempt = TestMessages.attempt(TestMessages.message(id).build());
		attempt.occupy(this.freed::incrementAndGet);
		this.runtime.active().add(attempt);
		return attempt;
	}

	private void writeOutcomes() {
		this.runtime.reporter().start();
		this.runtime.reporter().stop();
	}

	private ServerRuntime runtime() {
		TaskCompleter completer = (outcomes) -> outcomes.stream().map(this::applied).toList();
		Broker broker = (Broker) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Broker.class },
				(proxy, method, args) -> switch (method.getName()) {
					case "completer" -> completer;
					case "isPartitioned" -> false;
					default -> null;
				});
		return new ServerRuntime(broker, ServerOptions.builder().build(), ServerPolicies.defaults(), Clock.systemUTC(),
				() -> true);
	}

	private OutcomeResult applied(Outcome outcome) {
		this.written.add(outcome);
		return OutcomeResult.APPLIED;
	}

}
