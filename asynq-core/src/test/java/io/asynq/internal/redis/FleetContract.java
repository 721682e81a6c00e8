package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.google.protobuf.Timestamp;
import io.asynq.TaskOptions;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.fleet.ServerWish;
import io.asynq.internal.redis.proto.SchedulerEnqueueEvent;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.server.QueueWeights;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How servers and schedulers are listed.
 */
@OnDrivers
class FleetContract extends BrokerContract {

	FleetContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void serverIsToldWhatIsAskedOfItUntilItSignsOff() {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		assertThat(write(identity)).isNull();
		ServerWish wish = ServerWish.of(true);
		this.broker.servers().ask(identity, wish);
		assertThat(write(new ServerIdentity("host", 8, "other"))).isNull();
		// A lost answer loses nothing
		assertThat(write(identity)).isEqualTo(wish);
		assertThat(write(identity)).isEqualTo(wish);
		ServerWish next = ServerWish.of(false);
		this.broker.servers().ask(identity, next);
		assertThat(write(identity)).isEqualTo(next);
		String key = "asynqj:wish:{host:7:uuid}";
		assertThat(this.state.redis().getExpire(key)).isBetween(1L, 60L);
		this.state.redis().opsForValue().set(key, "what only a later version knows");
		assertThat(write(identity)).isNull();
		this.state.redis().delete(key);
		this.state.redis().opsForList().rightPush(key, "no text");
		assertThat(write(identity)).isNull();
		this.broker.servers().clear(identity);
		assertThat(this.state.redis().hasKey(key)).isFalse();
	}

	@Test
	void serverTellsHowManyTasksItHolds() {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		String key = "asynqj:held:{host:7:uuid}";
		write(identity, Map.of(QUEUE, 12, "low", 3));
		assertThat(held()).isEqualTo(Map.of(QUEUE, 12, "low", 3));
		assertThat(this.state.redis().getExpire(key)).isBetween(1L, 10L);
		write(identity, Map.of("low", 4));
		assertThat(held()).isEqualTo(Map.of("low", 4));
		write(new ServerIdentity("host", 8, "other"), Map.of("low", 2));
		assertThat(this.broker.fleet().held()).isEqualTo(Map.of("low", 6L));
		this.broker.servers().clear(new ServerIdentity("host", 8, "other"));
		write(identity, Map.of());
		assertThat(held()).isEmpty();
		this.state.redis().opsForValue().set(key, "what only a later version knows");
		assertThat(held()).isEmpty();
		this.state.redis().delete(key);
		assertThat(held()).as("of a server of Go").isEmpty();
		this.state.redis().opsForList().rightPush(key, "no text");
		assertThat(held()).isEmpty();
		write(identity, Map.of("low", 1));
		assertThat(held()).isEqualTo(Map.of("low", 1));
		this.broker.servers().clear(identity);
		assertThat(this.state.redis().hasKey(key)).isFalse();
	}

	@Test
	void countsLiveServersThatTakeTasksFromEachQueue() {
		write("go", "active", Map.of(QUEUE, 1, "low", 1));
		write("java", "active", Map.of(QUEUE, 3));
		write("quiet", "stopped", Map.of(QUEUE, 1, "quiet", 1));
		write("gone", "active", Map.of("dead", 1));
		this.state.redis().opsForZSet().add("asynq:servers", "asynq:servers:{host:1:gone}", nowSeconds() - 1);
		write("expired", "active", Map.of("dead", 1));
		this.state.redis().delete("asynq:servers:{host:1:expired}");
		this.state.redis().opsForZSet().add("asynq:servers", "asynq:servers:{bad}", nowSeconds() + 5);
		this.state.redis().opsForValue().set("asynq:servers:{bad}", "\u0001");
		assertThat(this.broker.manyQueues().consumers()).isEqualTo(Map.of(QUEUE, 2L, "low", 1L));
		this.state.redis().delete("asynq:servers");
		assertThat(this.broker.manyQueues().consumers()).isEmpty();
	}

	private void write(String server, String status, Map<String, Integer> queues) {
		ServerIdentity identity = new ServerIdentity("host", 1, server);
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(queues, false), status, this.clock.instant(),
					List.of(), Map.of()), Duration.ofSeconds(10));
	}

	private Map<String, Integer> held() {
		return this.broker.fleet().servers().get(0).held();
	}

	private @Nullable ServerWish write(ServerIdentity identity) {
		return write(identity, Map.of());
	}

	private @Nullable ServerWish write(ServerIdentity identity, Map<String, Integer> held) {
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		return this.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(Map.of(QUEUE, 1), false), "active",
					this.clock.instant(), List.of(), held), Duration.ofSeconds(10));
	}

	@Test
	void listsLiveServersWithWorkersWithoutWriting() {
		WorkerSnapshot worker = new WorkerSnapshot(message("t1").build(), this.clock.instant(), in(60));
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active",
					this.clock.instant(), List.of(worker), Map.of()), Duration.ofSeconds(10));
		for (String member : List.of("asynq:servers:{gone}", "asynq:servers:{bad}", "asynq:servers:{text}", "else",
				"")) {
			this.state.redis().opsForZSet().add("asynq:servers", member, nowSeconds() + 5);
		}
		this.state.redis().opsForValue().set("asynq:servers:{bad}", "\u0001");
		this.state.redis().opsForHash().put("asynq:servers:{text}", "no", "text");
		this.state.redis().opsForHash().put("asynq:workers:{host:7:uuid}", "t2", "\u0001");
		ServerInfo server = this.broker.fleet().servers().get(0);
		assertThat(this.broker.fleet().servers()).hasSize(1);
		assertThat(server.id()).isEqualTo("uuid");
		assertThat(server.host()).isEqualTo("host");
		assertThat(server.pid()).isEqualTo(7);
		assertThat(server.concurrency()).isEqualTo(10);
		assertThat(server.queues()).isEqualTo(Map.of(QUEUE, 3));
		assertThat(server.strictPriority()).isTrue();
		assertThat(server.status()).isEqualTo("active");
		assertThat(server.startedAt()).isEqualTo(this.clock.instant());
		assertThat(server.workers()).singleElement().satisfies((shown) -> {
			assertThat(shown.taskId()).isEqualTo("t1");
			assertThat(shown.task().type()).isEqualTo("email:send");
			assertThat(shown.task().payload()).isEqualTo(utf8("{\"user_id\":42}"));
			assertThat(shown.queue()).isEqualTo(QUEUE);
			assertThat(shown.startedAt()).isEqualTo(this.clock.instant());
			assertThat(shown.deadline()).isEqualTo(in(60));
		});
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.broker.fleet().servers()).isEmpty();
		assertThat(this.state.redis().opsForZSet().size("asynq:servers")).isEqualTo(6);
	}

	@Test
	void listsManyServersInFewCalls() {
		List<WorkerSnapshot> thousand = IntStream.range(0, 1001)
			.mapToObj((i) -> new WorkerSnapshot(message("t" + i).build(), this.clock.instant(), in(60)))
			.toList();
		for (int i = 0; i < 101; i++) {
			this.broker.servers().enlist(new ServerIdentity("host", i, "s" + i), Duration.ofSeconds(10));
			this.broker.servers()
				.write(new ServerSnapshot(new ServerIdentity("host", i, "s" + i), 10,
						new QueueWeights(Map.of(QUEUE, 1), false), "active", this.clock.instant(),
						(i == 1) ? thousand : List.of(), Map.of()), Duration.ofSeconds(10));
		}
		long before = scripts();
		Map<String, Integer> tasks = this.broker.fleet()
			.servers()
			.stream()
			.collect(Collectors.toMap(ServerInfo::id, (server) -> server.workers().size()));
		if (!this.broker.servers().isPartitioned()) {
			assertThat(scripts() - before).as("a hundred servers, or those with a thousand tasks").isEqualTo(2);
			before = scripts();
		}
		assertThat(this.broker.servers().listedTasks()).hasSize(1001);
		if (!this.broker.servers().isPartitioned()) {
			assertThat(scripts() - before).as("a hundred servers").isEqualTo(2);
		}
		assertThat(tasks).hasSize(101).containsEntry("s1", 1001).containsEntry("s100", 0);
		assertThat(this.broker.servers().served()).hasSize(101);
	}

	private long scripts() {
		Properties stats = Objects.requireNonNull(
				this.state.redis().execute((connection) -> connection.serverCommands().info("commandstats"), true));
		return calls(stats, "cmdstat_eval") + calls(stats, "cmdstat_evalsha");
	}

	/** A script that Redis does not know yet is sent again as a whole. */
	private static long calls(Properties stats, String command) {
		Matcher stat = Pattern.compile("calls=(\\d+),.*failed_calls=(\\d+)").matcher(stats.getProperty(command, ""));
		return stat.find() ? Long.parseLong(stat.group(1)) - Long.parseLong(stat.group(2)) : 0;
	}

	@Test
	void largePayloadsAreLeftOutOfHeartbeats() {
		byte[] small = new byte[64 * 1024];
		byte[] large = new byte[64 * 1024 + 1];
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		List<WorkerSnapshot> workers = List.of(
				new WorkerSnapshot(message("small").payload(small).build(), this.clock.instant(), in(60)),
				new WorkerSnapshot(message("large").payload(large).build(), this.clock.instant(), in(60)));
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(QUEUE, 3), true), "active",
					this.clock.instant(), workers, Map.of()), Duration.ofSeconds(10));
		this.broker.schedulers()
			.write(identity, List.of(
					new SchedulerEntrySnapshot("small", "@daily", "t", small, TaskOptions.none(), in(60), null),
					new SchedulerEntrySnapshot("large", "@daily", "t", large, TaskOptions.none(), in(60), null)),
					Duration.ofSeconds(20));
		assertThat(this.broker.fleet().servers().get(0).workers())
			.allSatisfy((worker) -> assertThat(worker.task().payload())
				.isEqualTo(worker.taskId().equals("small") ? small : null))
			.hasSize(2);
		assertThat(this.broker.fleet().schedulerEntries())
			.allSatisfy(
					(entry) -> assertThat(entry.task().payload()).isEqualTo(entry.id().equals("small") ? small : null))
			.hasSize(2);
	}

	@Test
	void serverWithoutWorkersHasNone() {
		this.state.seedServer("idle", in(5), hex("0a026831107b1a2436626137623831302d396461642d313164312d383062342d"
				+ "303063303466643433306338200a2a0b0a0764656661756c7410013a0661637469766542080880e2cfaa061005"));
		assertThat(this.broker.fleet().servers()).singleElement()
			.extracting(ServerInfo::workers)
			.isEqualTo(List.<WorkerInfo>of());
	}

	@Test
	void listsPeriodicTasksOfLiveSchedulers() {
		byte[] golden = hex("0a2436626137623831302d396461642d313164312d383062342d303063303466643433306338120a4065766572"
				+ "79203330731a067265706f72742a0c517565756528226c6f7722292a0b4d617852657472792833293206089ee2cfaa063a0b"
				+ "088092b8c398feffffff01");
		this.state.seedScheduler("asynq:schedulers:{one}", in(5), golden, new byte[] { (byte) 0xFF });
		this.state.seedScheduler("asynq:schedulers:{dead}", in(-1), golden);
		this.state.redis().opsForZSet().add("asynq:schedulers", "else", nowSeconds() + 5);
		this.state.redis().opsForZSet().add("asynq:schedulers", "asynq:schedulers:{text}", nowSeconds() + 5);
		this.state.redis().opsForValue().set("asynq:schedulers:{text}", "no list");
		SchedulerEntry entry = this.broker.fleet().schedulerEntries().get(0);
		assertThat(this.broker.fleet().schedulerEntries()).hasSize(1);
		assertThat(entry.spec()).isEqualTo("@every 30s");
		assertThat(entry.task().type()).isEqualTo("report");
		assertThat(entry.task().payload()).isNull();
		assertThat(entry.options())
			.hasToString(TaskOptions.of((options) -> options.queue("low").maxRetry(3)).toString());
		assertThat(entry.optionTexts()).containsExactly("Queue(\"low\")", "MaxRetry(3)");
		assertThat(entry.next()).isEqualTo(Instant.ofEpochSecond(1_700_000_030));
		assertThat(entry.previous()).isNull();
		assertThat(this.state.redis().opsForZSet().size("asynq:schedulers")).isEqualTo(4);
	}

	@Test
	void listsEnqueueEventsNewestFirst() {
		for (int i = 0; i < 5; i++) {
			seedEvent("entry", event(i));
		}
		this.state.seedMember("asynq:scheduler_history:entry", new byte[] { (byte) 0xFF }, 1);
		assertThat(this.broker.fleet().enqueueEvents("entry", 0, 2)).containsExactly(event(4), event(3));
		assertThat(this.broker.fleet().enqueueEvents("entry", 4, 2)).containsExactly(event(0));
		assertThat(this.broker.fleet().enqueueEvents("entry", 6, 2)).isEmpty();
		assertThat(this.broker.fleet().enqueueEvents("nobody", 0, 30)).isEmpty();
	}

	@Test
	void ordersEnqueueEventsOfOneSecondByTheirTime() {
		List<EnqueueEvent> newestFirst = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			newestFirst.add(0, new EnqueueEvent("t" + (i * 7) % 10, Instant.ofEpochSecond(1_700_000_000, i)));
		}
		newestFirst.forEach((event) -> seedEvent("quick", event));
		assertThat(this.broker.fleet().enqueueEvents("quick", 0, 30)).containsExactlyElementsOf(newestFirst);
	}

	@Test
	void readsEntriesOfJavaSchedulers() {
		TaskOptions options = TaskOptions.of((some) -> some.queue("low").header("k", "v"));
		SchedulerEntrySnapshot fires = new SchedulerEntrySnapshot("one", "@hourly", "report", utf8("42"), options,
				in(60), in(-60));
		SchedulerEntrySnapshot never = new SchedulerEntrySnapshot("two", "0 0 31 2 *", "never", null,
				TaskOptions.none(), null, null);
		this.broker.schedulers()
			.write(new ServerIdentity("host", 7, "uuid"), List.of(fires, never), Duration.ofSeconds(20));
		List<SchedulerEntry> entries = this.broker.fleet().schedulerEntries();
		assertThat(entries).extracting(SchedulerEntry::id).containsExactlyInAnyOrder("one", "two");
		assertThat(entries).filteredOn((entry) -> entry.id().equals("one")).singleElement().satisfies((entry) -> {
			assertThat(entry.task().payload()).isEqualTo(utf8("42"));
			assertThat(entry.options().headers()).containsEntry("k", "v");
			assertThat(entry.optionTexts()).containsExactly("Queue(\"low\")", "Header([\"k\",\"v\"])");
			assertThat(entry.next()).isEqualTo(in(60));
			assertThat(entry.previous()).isEqualTo(in(-60));
		});
		assertThat(entries).filteredOn((entry) -> entry.id().equals("two")).singleElement().satisfies((entry) -> {
			assertThat(entry.next()).isNull();
			assertThat(entry.previous()).isNull();
		});
		this.broker.schedulers().recordEnqueued("one", "t1", this.clock.instant());
		assertThat(this.broker.fleet().enqueueEvents("one", 0, 30)).extracting(EnqueueEvent::taskId)
			.containsExactly("t1");
	}

	@Test
	void keysOfWrongTypeAreEmptyLists() {
		for (String key : List.of("asynq:servers", "asynq:schedulers", "asynq:scheduler_history:x")) {
			this.state.redis().opsForValue().set(key, "text");
		}
		assertThat(this.broker.fleet().servers()).isEmpty();
		assertThat(this.broker.fleet().schedulerEntries()).isEmpty();
		assertThat(this.broker.fleet().enqueueEvents("x", 0, 30)).isEmpty();
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private void seedEvent(String entry, EnqueueEvent event) {
		Instant time = event.enqueuedAt();
		SchedulerEnqueueEvent stored = SchedulerEnqueueEvent.newBuilder()
			.setTaskId(event.taskId())
			.setEnqueueTime(Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()))
			.build();
		this.state.seedMember("asynq:scheduler_history:" + entry, stored.toByteArray(), time.getEpochSecond());
	}

	private static EnqueueEvent event(int number) {
		return new EnqueueEvent("t" + number, Instant.ofEpochSecond(1_700_000_000 + number, number));
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

	private static byte[] hex(String text) {
		return HexFormat.of().parseHex(text);
	}

}
