package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;

import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.server.QueueWeights;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerState;
import io.asynq.test.MutableClock;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a server does for tasks that wait for a handler, with a clock that stands still.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class UnhandledTasksIT {

	private static final String QUEUE = "default";

	private static final String TYPE = "email:send";

	/** Written by Go asynq 0.25: an active server of the queue "default". */
	private static final byte[] GO_SERVER = HexFormat.of()
		.parseHex("0a026831107b1a2436626137623831302d396461642d313164312d383062342d"
				+ "303063303466643433306338200a2a0b0a0764656661756c7410013a0661637469766542080880e2cfaa061005");

	private final MutableClock clock = MutableClock.create();

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final RedisBroker broker;

	private final TaskMux mux = new TaskMux().handle("other", (task, context) -> null);

	private final MissingHandlers missing = new MissingHandlers(this.mux, ServerOptions.builder().build(), new Waker());

	private final ServerStatus status = new ServerStatus();

	private final UnhandledTasks loop;

	UnhandledTasksIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, this.clock, ScriptTime.of(this.clock),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
		this.loop = new UnhandledTasks(this.broker.unhandled(), this.broker.servers()::served, this.missing,
				this.status, List.of(QUEUE),
				new QueueRound("asynq-unhandled", Lanes.single(), this.broker.work()::find), Lanes.single(), new Loops(
						() -> false, new LoopErrorLog(), new StopBudget(Duration.ZERO, Duration.ZERO, Duration.ZERO)));
	}

	@BeforeEach
	void startServers() {
		this.status.set(ServerState.ACTIVE);
		server("this", this.missing.published());
	}

	@Test
	void tasksArePutOffAndShownWhileNobodyHasAHandler() {
		park(2);
		this.loop.runOnce();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(seconds() + 60);
		assertThat(this.missing.waiting()).isEqualTo(Map.of(QUEUE, Map.of(TYPE, 2L)));
	}

	@Test
	void looksMoreOftenOnlyUntilAllTasksAreKnown() {
		assertThat(this.loop.runOnce()).isEqualTo(Duration.ofSeconds(5));
		park(2);
		assertThat(this.loop.runOnce()).isEqualTo(Duration.ofMillis(500));
		assertThat(this.loop.runOnce()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void tasksAreDueWhenThisServerHasAHandlerAndTakesTasks() {
		park(2);
		this.loop.runOnce();
		this.mux.handle("email:", (task, context) -> null);
		this.status.set(ServerState.STOPPED);
		this.loop.runOnce();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(seconds() + 60);
		this.status.set(ServerState.ACTIVE);
		this.loop.runOnce();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(seconds());
		assertThat(this.missing.waiting()).isEmpty();
	}

	@Test
	@Tag("slow")
	void tasksAreLeftToAnotherServerThatHasAHandler() {
		server("other", ServedTypes.text(List.of(TYPE), List.of()));
		park(1);
		this.loop.runOnce();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(seconds() + 1);
		assertThat(this.missing.waiting()).isEmpty();
	}

	@Test
	void tasksComeBackByThemselvesBesideServersThatDoNotTellTheirTypes() {
		this.state.seedServer("go", Instant.now().plusSeconds(60), GO_SERVER);
		park(1);
		this.loop.runOnce();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(seconds() + 1);
		assertThat(this.missing.waiting()).isEqualTo(Map.of(QUEUE, Map.of(TYPE, 1L)));
	}

	@Test
	void serversOfOtherQueuesDoNotCount() {
		this.broker.servers().enlist(new ServerIdentity("host", 1, "low"), ttl());
		this.broker.servers()
			.write(new ServerSnapshot(new ServerIdentity("host", 1, "low"), 1,
					new QueueWeights(Map.of("low", 1), false), "active", this.clock.instant(), List.of(), Map.of()),
					ttl());
		park(1);
		this.loop.runOnce();
		assertThat(this.state.scores(QUEUE, "retry").values()).containsOnly(seconds() + 60);
	}

	@Test
	@Tag("slow")
	void tenThousandTasksCostFewerThanFiveCommandsPerSecondAndAreForwardedOnlyOnce() {
		park(10_000);
		this.loop.runOnce();
		long before = commands();
		for (int round = 0; round < 120; round++) {
			this.clock.advance(Duration.ofSeconds(5));
			this.loop.runOnce();
			assertThat(this.broker.upkeep().forward(QUEUE).moved()).isZero();
		}
		// INFO counts itself
		assertThat((commands() - before - 1) / 600.0).isLessThan(5);
		assertThat(this.missing.waiting()).isEqualTo(Map.of(QUEUE, Map.of(TYPE, 10_000L)));
	}

	private void park(int tasks) {
		List<EnqueueRequest> requests = new ArrayList<>();
		IntStream.range(0, tasks)
			.forEach((i) -> requests
				.add(new EnqueueRequest(RedisState.message(QUEUE, "t" + i).build(), new Placement.Pending(), null)));
		this.broker.enqueuer().enqueueAll(requests);
		List<LeasedTask> taken = this.broker.dequeuer().dequeue(QUEUE, 1000).tasks();
		while (!taken.isEmpty()) {
			this.broker.completer()
				.report(taken.stream()
					.map((task) -> new Outcome.Unhandled(task, "no handler", Duration.ofMinutes(1),
							this.missing.maxAge()))
					.toList());
			taken = this.broker.dequeuer().dequeue(QUEUE, 1000).tasks();
		}
	}

	private void server(String name, String types) {
		ServerIdentity identity = new ServerIdentity("host", 1, name);
		this.broker.servers().enlist(identity, ttl());
		this.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(Map.of(QUEUE, 1), false), "active",
					Clock.systemUTC().instant(), List.of(), Map.of()), ttl());
		this.broker.servers().writeTypes(identity, types, ttl());
	}

	private static Duration ttl() {
		return Duration.ofMinutes(5);
	}

	private long seconds() {
		return this.clock.instant().getEpochSecond();
	}

	private long commands() {
		Properties statistics = new StringRedisTemplate(this.factory)
			.execute((connection) -> connection.serverCommands().info("commandstats"), true);
		return statistics.values()
			.stream()
			.mapToLong((line) -> Long.parseLong(line.toString().replaceFirst("calls=(\\d+),.*", "$1")))
			.sum();
	}

}
