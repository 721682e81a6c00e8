package io.asynq.operations;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.redis.BrokerContract;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.RedisState;
import io.asynq.operations.repair.QueueRepair;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No step is large, however many tasks there are and whatever is added meanwhile.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
class InspectorStepsIT extends BrokerContract {

	private static final int MANY = 25_000;

	/** The common pool may have a single thread. */
	private static final Executor THREADS = new SimpleAsyncTaskExecutor("asking-");

	/** The size of the largest step. */
	private static final int STEP = 500;

	InspectorStepsIT(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void allTasksAreMovedInSteps() {
		this.state.seedMany(QUEUE, "scheduled", MANY, nowSeconds());
		assertThat(oneStep("run", "scheduled")).isEqualTo(STEP);
		assertThat(steps(() -> assertThat(all(TaskMove.RUN, TaskState.SCHEDULED)).isEqualTo(MANY - STEP)))
			.isEqualTo(MANY / STEP - 1);
		assertThat(this.state.pending(QUEUE)).hasSize(MANY).startsWith("t00000").endsWith("t24999");
		assertThat(steps(() -> assertThat(all(TaskMove.ARCHIVE, TaskState.PENDING)).isEqualTo(MANY)))
			.isEqualTo(MANY / STEP);
		assertThat(this.state.redis().opsForZSet().size("asynq:{default}:archived")).isEqualTo(10_000);
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(10_000);
		assertThat(steps(() -> assertThat(all(TaskMove.DELETE, TaskState.ARCHIVED)).isEqualTo(10_000))).isEqualTo(20);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void noStepSearchesManyIdsInLongQueue(TaskMove move) {
		this.state.seedMany(QUEUE, "pending", MANY, 0);
		List<String> ids = IntStream.range(12_000, 12_100).mapToObj((number) -> "t" + number).toList();
		// Each examines 200,000 ids
		assertThat(steps(() -> assertThat(this.broker.tasks().move(QUEUE, move, ids)).hasSize(100)
			.allMatch((result) -> result.status() == TaskMove.Result.Status.DONE))).isEqualTo(12);
		assertThat(this.state.pending(QUEUE)).hasSize(MANY - 100).doesNotContainAnyElementsOf(ids);
	}

	@Test
	void queueIsDeletedInSteps() {
		this.state.seedMany(QUEUE, "completed", MANY, nowSeconds());
		long steps = steps(() -> assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty());
		assertThat(steps).isGreaterThan(MANY / STEP);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void queueCanBeDeletedWhenRedisIsOutOfMemory() {
		this.state.seedMany(QUEUE, "pending", 2000, 0);
		this.state.seedMany(QUEUE, "g:large", 1200, nowSeconds());
		configure("maxmemory", "1");
		try {
			assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty();
		}
		finally {
			configure("maxmemory", "0");
		}
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void deletionSearchesFewNewTasksPerStepInLongQueue() {
		this.state.seedMany(QUEUE, "pending", MANY * 2, 0);
		long before = calls("cmdstat_lpos");
		sweep();
		// 200,000 ids are examined: 50,000 for each task, in pending and in active
		assertThat(calls("cmdstat_lpos") - before).isLessThanOrEqualTo(20);
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(MANY * 2);
	}

	@Test
	void deletionChecksStateOfNewTasksFirst() {
		this.state.seedMany(QUEUE, "scheduled", 1000, nowSeconds());
		this.state.seedMany(QUEUE, "pending", 10, 0);
		this.state.redis().delete("asynq:{default}:pending");
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "another");
		long before = calls("cmdstat_lpos");
		sweep();
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).as("ten of them say pending but are scheduled")
			.hasSize(1000);
		assertThat(calls("cmdstat_lpos") - before).isLessThanOrEqualTo(20);
	}

	@Test
	void noStepSearchesManyTasksOfWrongStateInLongQueue() {
		this.state.seedMany(QUEUE, "pending", MANY * 2, 0);
		this.state.redis()
			.execute(
					RedisScript.of("for i = 0, ARGV[1] - 1 do "
							+ "redis.call('ZADD', KEYS[1], 1, string.format('t%05d', i)) end"),
					List.of("asynq:{default}:scheduled"), "500");
		long before = calls("cmdstat_lpos");
		assertThat(oneStep("delete", "scheduled")).as("they are pending").isZero();
		assertThat(calls("cmdstat_lpos") - before).isLessThanOrEqualTo(20);
		assertThat(this.state.redis().opsForZSet().range("asynq:{default}:scheduled", 0, 0)).as("requeued tasks")
			.containsExactly("t00004");
		assertThat(all(TaskMove.DELETE, TaskState.SCHEDULED)).isZero();
		assertThat(this.state.exists("asynq:{default}:scheduled")).isFalse();
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(MANY * 2);
	}

	@Test
	void taskOfWrongStateIsMovedHoweverLongTheQueue() {
		this.state.seedMany(QUEUE, "pending", MANY * 2, 0);
		this.state.redis()
			.execute(
					RedisScript.of("for i = 0, 49 do local id = string.format('t%05d', i) "
							+ "redis.call('LREM', KEYS[1], 1, id) redis.call('ZADD', KEYS[2], i, id) end"),
					List.of("asynq:{default}:pending", "asynq:{default}:scheduled"));
		assertThat(all(TaskMove.DELETE, TaskState.SCHEDULED)).isEqualTo(50);
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(MANY * 2 - 50);
	}

	@Test
	void restoredListEntriesKeepTheirPosition() {
		this.state.seedMany(QUEUE, "pending", MANY * 2, 0);
		this.state.redis()
			.execute(
					RedisScript.of("for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do "
							+ "redis.call('HSET', ARGV[1] .. id, 'state', 'retry') end"),
					List.of("asynq:{default}:pending"), "asynq:{default}:t:");
		List<String> before = this.state.redis().opsForList().range("asynq:{default}:pending", 0, -1);
		long deleted = oneStep("delete", "pending");
		assertThat(deleted).as("each is searched among all others").isBetween(1L, 20L);
		assertThat(this.state.redis().opsForList().range("asynq:{default}:pending", 0, -1))
			.isEqualTo(before.subList(0, before.size() - (int) deleted));
	}

	@Test
	void queueStatisticsTakeOneStepForAnySize() {
		this.state.seedMany(QUEUE, "pending", MANY, 0);
		assertThat(steps(() -> this.broker.queues().stats(QUEUE))).isOne();
		long before = commands();
		this.broker.queues().stats(QUEUE);
		assertThat(commands() - before).as("commands, those of the script included").isLessThan(60);
		assertThat(steps(() -> this.broker.tasks().list(QUEUE, TaskState.PENDING, 20_000, 30))).isOne();
		assertThat(steps(() -> this.broker.queues().memoryUsage(QUEUE))).isEqualTo(2);
	}

	@Test
	void concurrentReadersShareOneCountOfGroups() {
		String[] groups = IntStream.range(0, 20_000).mapToObj((i) -> "g" + i).toArray(String[]::new);
		this.state.redis().opsForSet().add("asynq:{default}:groups", groups);
		this.state.redis().opsForSet().add("asynq:queues", QUEUE);
		int askers = 6;
		long steps = steps(() -> IntStream.range(0, askers)
			.mapToObj((i) -> CompletableFuture.runAsync(() -> this.broker.queues().stats(QUEUE), THREADS))
			.toList()
			.forEach(CompletableFuture::join));
		assertThat(steps).as("one each, and 500 groups a step once").isBetween(40L, 60L);
	}

	@Test
	void countingGroupsOfOneQueueDoesNotBlockAnother() {
		String[] groups = IntStream.range(0, 2000).mapToObj((i) -> "g" + i).toArray(String[]::new);
		for (String queue : List.of("slow", QUEUE)) {
			this.state.redis().opsForSet().add("asynq:{" + queue + "}:groups", groups);
			this.state.redis().opsForSet().add("asynq:queues", queue);
		}
		CountDownLatch counting = new CountDownLatch(2);
		CountDownLatch answered = new CountDownLatch(1);
		AtomicReference<Thread> slow = new AtomicReference<>();
		RedisBroker observed = new RedisBroker(before(() -> {
			if (Thread.currentThread() == slow.get()) {
				counting.countDown();
				if (counting.getCount() == 0) {
					await(answered);
				}
			}
		}), this.clock, RedisBroker.DEFAULT_LEASE_DURATION, this.brokenTasks::add);
		CompletableFuture<?> asked = CompletableFuture.runAsync(() -> {
			slow.set(Thread.currentThread());
			observed.queues().stats("slow");
		}, THREADS);
		await(counting);
		CompletableFuture<?> other = CompletableFuture.runAsync(() -> observed.queues().stats(QUEUE), THREADS);
		try {
			assertThat(other).succeedsWithin(Duration.ofSeconds(60));
		}
		finally {
			answered.countDown();
		}
		asked.join();
	}

	@Test
	void setReturnsToLargeGroupAtCostOfSet() {
		String group = "asynq:{default}:g:g";
		seedSorted(group, 500_000, "new");
		seedSorted(group + ":set", 1000, "staged");
		this.state.redis().opsForZSet().add("asynq:{default}:aggregation_sets", group + ":set", 1);
		long copied = calls("cmdstat_zunionstore");
		long before = commands();
		RedisState.scripts(this.factory)
			.runLong(LuaScript.GIVE_BACK_STAGED, "group",
					List.of(group, group + ":set", "asynq:{default}:aggregation_sets", "asynq:{default}:groups"), "g");
		assertThat(commands() - before).as("commands; the group alone would take 1,000 at 500 ids each").isLessThan(60);
		assertThat(calls("cmdstat_zunionstore")).as("commands that copy the group").isEqualTo(copied);
		assertThat(this.state.redis().opsForZSet().size(group)).isEqualTo(501_000);
	}

	@Test
	void tasksAddedMeanwhileAreLeftSoThatMoveEnds() {
		this.state.seedMany(QUEUE, "scheduled", 2000, nowSeconds());
		AtomicInteger added = new AtomicInteger();
		RedisBroker observed = new RedisBroker(before(() -> {
			assertThat(added.get()).as("tasks added by all steps").isLessThan(1000);
			for (int i = 0; i < 20; i++) {
				this.state.seedScheduled(this.clock.instant().plusSeconds(1),
						RedisState.message(QUEUE, "new" + added.getAndIncrement()).build());
			}
		}), this.clock, RedisBroker.DEFAULT_LEASE_DURATION, this.brokenTasks::add);
		long moved = observed.tasks().moveAll(QUEUE, TaskMove.DELETE, TaskState.SCHEDULED);
		// Redis may ask for the text of the script before the first step
		assertThat(moved).as("with those that came before the first step").isBetween(2020L, 2040L);
		assertThat(this.state.scores(QUEUE, "scheduled")).hasSize(2000 + added.get() - (int) moved)
			.hasSizeGreaterThanOrEqualTo(60);
	}

	@Test
	void deletionDuringEnqueuesLeavesConsistentQueue() throws Exception {
		this.state.seedMany(QUEUE, "pending", 3000, 0);
		AtomicBoolean ended = new AtomicBoolean();
		CompletableFuture<Integer> filling = CompletableFuture.supplyAsync(() -> {
			int i = 0;
			while (!ended.get()) {
				enqueue(i++);
			}
			return i;
		}, THREADS);
		for (int i = 0; i < 5; i++) {
			assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty();
		}
		ended.set(true);
		int next = filling.get();
		assertThat(next).isPositive();
		for (int i = next; i < next + 4; i++) {
			enqueue(i);
		}
		assertThat(this.state.redis().keys("asynq:{default}:t:t*")).isEmpty();
		assertThat(this.state.redis().keys("asynqj:{default}:deleted:*")).isEmpty();
		assertThat(new QueueRepair(this.broker).diagnose(QUEUE).counts()).isEmpty();
		assertThat(this.broker.tasks().find(QUEUE, "n" + (next + 3))).isPresent();
	}

	@Test
	void taskEnqueuedDuringDeletionIsKeptAndQueueListedByNextEnqueue() {
		AtomicReference<Runnable> deletion = new AtomicReference<>();
		RedisBroker enqueuing = new RedisBroker(before(() -> {
			boolean isListed = this.broker.queues().queues().contains(QUEUE);
			Runnable pending = isListed ? deletion.getAndSet(null) : null;
			if (pending != null) {
				pending.run();
			}
		}), this.clock, RedisBroker.DEFAULT_LEASE_DURATION, this.brokenTasks::add);
		deletion.set(() -> assertThat(enqueuing.queueKeeper().delete(QUEUE, true)).isEmpty());
		for (int i = 0; i < 2; i++) {
			enqueuing.enqueuer()
				.enqueue(new EnqueueRequest(RedisState.message(QUEUE, "n" + i).build(), new Placement.Pending(), null));
		}
		assertThat(deletion).hasValue(null);
		assertThat(this.broker.queues().queues()).containsExactly(QUEUE);
		assertThat(this.broker.tasks().find(QUEUE, "n0")).isPresent();
	}

	@Test
	void deletionEndsWhileGroupsAreFilledAndLeavesNewTasks() {
		this.state.seedGrouped(this.clock.instant(), RedisState.message(QUEUE, "old").group("g0").build());
		AtomicInteger steps = new AtomicInteger();
		RedisBroker observed = new RedisBroker(before(() -> {
			assertThat(steps.incrementAndGet()).as("steps").isLessThan(100);
			enqueue(2 * steps.get());
		}), this.clock, RedisBroker.DEFAULT_LEASE_DURATION, this.brokenTasks::add);
		assertThat(observed.queueKeeper().delete(QUEUE, true)).isEmpty();
		assertThat(this.broker.tasks().find(QUEUE, "old")).isEmpty();
		assertThat(this.broker.queues().stats(QUEUE).orElseThrow().sizes().get(TaskState.AGGREGATING))
			.as("tasks that came after groups were looked for")
			.isGreaterThan(2);
		assertThat(new QueueRepair(this.broker).diagnose(QUEUE).counts()).isEmpty();
	}

	private void enqueue(int number) {
		boolean grouped = number % 2 == 0;
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(
					RedisState.message(QUEUE, "n" + number).group(grouped ? "g" + number % 4 : "").build(),
					grouped ? new Placement.Grouped() : new Placement.Pending(), null));
	}

	private void seedSorted(String key, int size, String prefix) {
		// Small steps, so that on a slow machine no call runs into the time-out
		for (int first = 1; first <= size; first += 10_000) {
			this.state.redis()
				.execute(RedisScript
					.of("for i = ARGV[1], ARGV[2] do redis.call('ZADD', KEYS[1], i, ARGV[3] .. math.floor(i)) end"),
						List.of(key), String.valueOf(first), String.valueOf(Math.min(size, first + 9999)), prefix);
		}
	}

	private void configure(String name, String value) {
		this.state.redis().execute((connection) -> {
			connection.serverCommands().setConfig(name, value);
			return null;
		}, true);
	}

	/** The same connections, with an action before each script. */
	private RedisConnectionFactory after(String name, Runnable action) {
		return proxy(RedisConnectionFactory.class, this.factory, (method, result) -> "getConnection".equals(method)
				? proxy(RedisConnection.class, (RedisConnection) result, (command, answer) -> {
					if (name.equals(command)) {
						action.run();
					}
					return answer;
				}) : result);
	}

	private RedisConnectionFactory before(Runnable script) {
		return after("scriptingCommands", script);
	}

	private static <T> T proxy(Class<T> type, T target, BinaryOperator<Object> result) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, args) -> result.apply(method.getName(), method.invoke(target, args))));
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private long all(TaskMove move, TaskState from) {
		return this.broker.tasks().moveAll(QUEUE, move, from);
	}

	private void sweep() {
		String prefix = RedisState.key(QUEUE, "");
		RedisState.scripts(this.factory)
			.runList(LuaScript.SWEEP, "sweep", List.of(RedisState.key(QUEUE, "pending")), prefix, "asynqj:{default}:",
					"0", prefix + "*", STEP, "1");
	}

	private long oneStep(String move, String source) {
		List<Object> answer = RedisState.scripts(this.factory)
			.runList(LuaScript.MOVE_ALL, move, List.of(RedisState.key(QUEUE, source)), RedisState.key(QUEUE, ""),
					"asynqj:{default}:", move, "1700000000000000000", 0, 0, STEP, source, "");
		return (Long) answer.get(2);
	}

	private long steps(Runnable call) {
		long before = calls("cmdstat_evalsha") + calls("cmdstat_eval");
		call.run();
		return calls("cmdstat_evalsha") + calls("cmdstat_eval") - before;
	}

	private long commands() {
		Properties stats = info("stats");
		return Long.parseLong(stats.getProperty("total_commands_processed"));
	}

	private long calls(String command) {
		String stat = info("commandstats").getProperty(command, "calls=0,failed");
		return Long.parseLong(stat.substring("calls=".length(), stat.indexOf(','))) - failed(stat);
	}

	// A script that Redis does not know yet is sent again as a whole
	private static long failed(String stat) {
		int failed = stat.indexOf("failed_calls=");
		return (failed < 0) ? 0 : Long.parseLong(stat.substring(failed + "failed_calls=".length()));
	}

	private Properties info(String section) {
		return this.state.redis().execute((connection) -> connection.serverCommands().info(section), true);
	}

}
