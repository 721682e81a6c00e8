package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.text.LogCapture;
import io.asynq.server.TestMessages;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * What becomes of tasks that a server has taken and nobody works on, whatever has kept
 * them from their workers.
 */
@ExtendWith(RedisExtension.class)
class AdriftTasksIT {

	private static final String QUEUE = "default";

	private final RedisState state;

	private final RedisBroker broker;

	private final ActiveTasks active = new ActiveTasks();

	private final TaskCompleter completer;

	AdriftTasksIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.completer = this.broker.completer();
	}

	@Test
	void theirLeasesAreRenewedAndTheyGoBackToTheFrontUncounted() {
		List<LeasedTask> tasks = take("t0", "t1");
		this.state.seedPending(TestMessages.message("t2").build());
		LeaseRenewal leases = adrift(TestPrefetchBuffer.of(List.of()));
		expireSoon("t0", "t1");
		leases.renew();
		leases.putBackAdrift();
		assertThat(this.state.scores(QUEUE, "lease").values()).allMatch((end) -> end > 1_700_000_000);
		this.state.assertActive(QUEUE, "t0", "t1");
		try (LogCapture log = LogCapture.of(LeaseRenewal.class, Level.WARN)) {
			leases.putBackAdrift(Duration.ZERO);
			assertThat(log.lines()).hasSize(2)
				.allMatch((line) -> line.getFormattedMessage().contains("No worker has had task t"));
		}
		assertThat(this.state.pending(QUEUE)).containsExactlyInAnyOrder("t0", "t1", "t2").endsWith("t2");
		assertThat(this.active.taken()).isEmpty();
		assertThat(tasks).allMatch((task) -> !task.lease().isValidAt(System.nanoTime()));
		assertThat(this.state.exists("asynq:{default}:failed")).isFalse();
	}

	@Test
	@Tag("slow")
	void thoseThatAreHeldForTooLongStartNoMore() {
		List<LeasedTask> tasks = take("t0", "t1", "t2");
		PrefetchBuffer held = TestPrefetchBuffer.of(tasks);
		adrift(held).putBackAdrift(Duration.ZERO);
		assertThat(held.all()).isEmpty();
		this.state.assertActive(QUEUE);
	}

	@Test
	void thoseWhoseLeasesHaveEndedGoBackAtOnceUnlessAnotherServerHasThem() {
		List<LeasedTask> tasks = take("t0", "t1");
		tasks.forEach((task) -> task.lease().lose());
		this.state.seedField(QUEUE, "t1", "x-attempt", "another".getBytes());
		adrift(TestPrefetchBuffer.of(List.of())).putBackAdrift();
		this.state.assertActive(QUEUE, "t1");
		assertThat(this.state.pending(QUEUE)).containsExactly("t0");
		assertThat(this.active.taken()).isEmpty();
	}

	@Test
	void thoseThatWorkersHaveStay() {
		LeasedTask task = take("t0").get(0);
		this.active.addUnsettled(new Attempt(task, 0, Clock.systemUTC().instant(), this.completer::writeResult));
		adrift(TestPrefetchBuffer.of(List.of())).putBackAdrift(Duration.ZERO);
		this.state.assertActive(QUEUE, "t0");
		assertThat(this.active.taken()).containsExactly(task);
	}

	private List<LeasedTask> take(String... ids) {
		for (String id : ids) {
			this.state.seedPending(TestMessages.message(id).build());
		}
		List<LeasedTask> tasks = this.broker.dequeuer().dequeue(QUEUE, ids.length).tasks();
		this.active.taken(tasks);
		return tasks;
	}

	private void expireSoon(String... ids) {
		for (String id : ids) {
			String attempt = this.state.fields(QUEUE, id).get("x-attempt");
			this.state.seedField(QUEUE, id, "x-attempt", attempt.replaceFirst("@\\d+", "@1000").getBytes());
			this.state.redis().opsForZSet().add("asynq:{default}:lease", id, 1000);
		}
	}

	private LeaseRenewal adrift(PrefetchBuffer held) {
		return new LeaseRenewal(
				this.broker.upkeep(), this.active, new TakenTasks(this.completer, held, this.active,
						mock(Requeuer.class), Lanes.single(), mock(LimitGate.class), Clock.systemUTC()),
				new QueueRound("test", Lanes.single()));
	}

}
