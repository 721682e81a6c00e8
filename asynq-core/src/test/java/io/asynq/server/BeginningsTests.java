package io.asynq.server;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.asynq.BrokerUnavailableException;
import io.asynq.TaskDeadlineExceededException;
import io.asynq.broker.AttemptKeeper;
import io.asynq.broker.Broker;
import io.asynq.broker.CrashRecord;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.broker.TaskCompleter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BeginningsTests {

	private static final long LONG = Duration.ofHours(1).toNanos();

	private final List<String> asked = new ArrayList<>();

	private final List<String> putBack = new ArrayList<>();

	private Function<Collection<LeasedTask>, Set<LeasedTask>> redis = Set::copyOf;

	private final ServerRuntime runtime = runtime();

	private final Beginnings beginnings = new Beginnings(this.runtime);

	@Test
	void whatIsNoSuspectBeginsWithoutACallToRedis() {
		assertThat(this.beginnings.mayBegin(attempt("innocent", CrashRecord.CLEAN, LONG))).isTrue();
		assertThat(this.asked).isEmpty();
	}

	@Test
	void aSuspectBeginsWhenThatIsWrittenDown() {
		assertThat(this.beginnings.mayBegin(suspect("t1", LONG))).isTrue();
		assertThat(this.asked).containsExactly("t1");
		assertThat(this.putBack).isEmpty();
	}

	@Test
	void aSuspectThatHasPassedIntoOtherHandsDoesNotBegin() {
		this.redis = (tasks) -> Set.of();
		assertThat(this.beginnings.mayBegin(suspect("t1", LONG))).isFalse();
		assertThat(this.putBack).containsExactly("t1");
	}

	@Test
	void noSuspectBeginsWhileItCannotBeWrittenDown() {
		this.redis = (tasks) -> {
			throw new BrokerUnavailableException("away", null);
		};
		Attempt attempt = suspect("t1", LONG);
		assertThat(this.beginnings.mayBegin(attempt)).isFalse();
		assertThat(this.putBack).containsExactly("t1");
		assertThat(attempt.begin()).isFalse();
		assertThat(attempt.conclusion().isTaken()).isTrue();
	}

	@Test
	void noSuspectBeginsWhoseLeaseHasEndedMeanwhile() {
		Attempt attempt = suspect("t1", 0);
		assertThat(this.beginnings.mayBegin(attempt)).isFalse();
		assertThat(attempt.begin()).isFalse();
		assertThat(this.runtime.active().held()).isEmpty();
	}

	@Test
	void whatWasAbortedMeanwhileIsLeftToWhoeverConcludesIt() {
		Attempt attempt = suspect("t1", LONG);
		this.redis = (tasks) -> {
			attempt.abort(new TaskDeadlineExceededException());
			attempt.conclusion().enter();
			throw new BrokerUnavailableException("away", null);
		};
		assertThat(this.beginnings.mayBegin(attempt)).isFalse();
		assertThat(Thread.interrupted()).as("its error handler is interrupted").isFalse();
		assertThat(attempt.conclusion().isTaken()).isFalse();
		assertThat(this.putBack).isEmpty();
	}

	private ServerRuntime runtime() {
		AttemptKeeper keeper = new AttemptKeeper() {

			@Override
			public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
				tasks.forEach((task) -> BeginningsTests.this.asked.add(task.message().id()));
				return BeginningsTests.this.redis.apply(tasks);
			}

			@Override
			public void note(String queue, Collection<LeasedTask> tasks) {
				throw new UnsupportedOperationException();
			}

		};
		TaskCompleter completer = (outcomes) -> outcomes.stream().map(this::requeued).toList();
		Broker broker = (Broker) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Broker.class },
				(proxy, method, args) -> switch (method.getName()) {
					case "attempts" -> keeper;
					case "completer" -> completer;
					case "isPartitioned" -> false;
					default -> null;
				});
		return new ServerRuntime(broker, ServerOptions.builder().build(), ServerPolicies.defaults(), Clock.systemUTC(),
				() -> true);
	}

	private OutcomeResult requeued(Outcome outcome) {
		assertThat(outcome).isInstanceOf(Outcome.Requeue.class);
		this.putBack.add(outcome.message().id());
		return OutcomeResult.APPLIED;
	}

	private static Attempt suspect(String id, long nanos) {
		return attempt(id, CrashRecord.CLEAN.suspected(), nanos);
	}

	private static Attempt attempt(String id, CrashRecord record, long nanos) {
		LeasedTask task = new LeasedTask(TestMessages.message(id).build(),
				new Lease("default", id, "f", System.nanoTime() + nanos), record);
		return new Attempt(task, AttemptTimes.of(task.message(), 0, Instant.EPOCH), (lease, result) -> true);
	}

}
