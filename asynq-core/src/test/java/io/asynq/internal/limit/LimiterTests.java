package io.asynq.internal.limit;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.BrokerUnavailableException;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskMux;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.limit.LimitStore.Answer;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.LimitGate;
import io.asynq.internal.worker.Outcome;
import io.asynq.limit.TaskLimit;
import io.asynq.server.ServerOptions;
import io.asynq.test.FakeBroker;
import io.asynq.test.FakeLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LimiterTests {

	private static final LimitClass PDF = LimitClass.of("default", List.of("pdf"));

	private final FakeLimitStore store = new FakeLimitStore();

	private final Limiter limiter = new Limiter(rules(), this.store,
			new QueueRound("limits", Lanes.single(), new FakeBroker().work()::find), Lanes.single(), List.of(),
			(queue) -> {
			}, Duration.ofSeconds(5), new Loops(() -> true, new LoopErrorLog(),
					new StopBudget(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10))));

	@AfterEach
	void stop() {
		this.limiter.stop();
	}

	@Test
	void taskWithoutTokenWaits() {
		this.store.answers = (claims) -> List.of(Answer.REFUSED, Answer.GRANTED);
		LimitGate.Admission admission = admit("first", "second");
		assertThat(admission.admitted()).extracting((task) -> task.message().id()).containsExactly("second");
		assertThat(admission.refused()).extracting((outcome) -> outcome.message().id()).containsExactly("first");
	}

	/** A call may have taken tokens before it failed. */
	@ParameterizedTest
	@MethodSource
	void tasksWaitAndTokensGoBackIfItIsNotKnownWhetherTheyWereTaken(Throwable failure) {
		this.store.answers = (claims) -> LimiterTests.<RuntimeException, List<Answer>>sneakyThrow(failure);
		LimitGate.Admission admission = admit("first", "second");
		assertThat(admission.admitted()).isEmpty();
		assertThat(admission.refused()).hasSize(2).allMatch((outcome) -> outcome instanceof Outcome.Wait);
		this.limiter.start();
		await().untilAsserted(() -> assertThat(this.store.released).containsExactly("first", "second"));
	}

	static Stream<Throwable> tasksWaitAndTokensGoBackIfItIsNotKnownWhetherTheyWereTaken() {
		return Stream.of(new BrokerUnavailableException("Redis is away", null), new IllegalStateException("test"),
				new LinkageError("test"));
	}

	@Test
	void limitsThatRedisHasForgottenAreAnnouncedAtOnce() {
		this.store.answers = (claims) -> List.of(this.store.announced.isEmpty() ? Answer.UNKNOWN : Answer.GRANTED);
		assertThat(admit("first").admitted()).hasSize(1);
	}

	private LimitGate.Admission admit(String... ids) {
		return this.limiter.admit(Stream.of(ids).map(LimiterTests::limited).toList());
	}

	private static LimitGate.Limited limited(String id) {
		TaskMessage message = TaskMessage.builder("type", id, "default").build();
		LeasedTask task = new LeasedTask(message, new Lease("default", id, "f", Long.MAX_VALUE));
		return new LimitGate.Limited(task, PDF);
	}

	private static LimitRules rules() {
		TaskMux mux = new TaskMux();
		mux.handle("type", (task, context) -> null, HandlerLimits.of("pdf"));
		return new LimitRules(mux, ServerOptions.builder().limit("pdf", TaskLimit.concurrent(2)).build());
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable, T> T sneakyThrow(Throwable failure) throws E {
		throw (E) failure;
	}

}
