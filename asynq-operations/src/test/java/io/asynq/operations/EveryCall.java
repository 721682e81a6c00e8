package io.asynq.operations;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.internal.arrival.ArrivalListener;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.OutboxTask;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.fleet.ServerWish;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.inspect.RareCounts;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.limit.LimitClaim;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.limit.LimitTurns;
import io.asynq.internal.limit.SemaphoreStore.Token;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Subscription;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.schedule.Fire;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import io.asynq.internal.worker.ArrivalSubscription;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.LostDequeues;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.QueueShare;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.operations.repair.Inconsistency;
import io.asynq.operations.repair.QueueRepair;
import io.asynq.server.QueueWeights;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Makes every call that a broker has, on an empty Redis, and continues after errors.
 */
final class EveryCall {

	private static final String QUEUE = "default";

	private static final String OTHER = "other";

	private final List<String> errors = new ArrayList<>();

	private final RedisConnectionFactory admin;

	private final RedisState state;

	private final RedisBroker broker;

	private final ScriptRunner scripts;

	private final UnaryOperator<Runnable> around;

	EveryCall(RedisConnectionFactory user, RedisConnectionFactory admin) {
		this(user, admin, UnaryOperator.identity());
	}

	/**
	 * @param around what to do before and after each call, but not while it is prepared
	 */
	EveryCall(RedisConnectionFactory user, RedisConnectionFactory admin, UnaryOperator<Runnable> around) {
		this.around = around;
		this.scripts = RedisState.scripts(user);
		this.admin = admin;
		this.state = new RedisState(admin);
		this.broker = new RedisBroker(user, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	/**
	 * Makes all calls and returns the errors.
	 */
	List<String> errors() {
		flushScripts();
		enqueue();
		dequeueAndReport();
		callForSeveralQueues();
		keepLeases();
		attempt(() -> this.broker.upkeep().forward(QUEUE));
		this.state.seedCompleted(past(), message("old").build());
		attempt(() -> this.broker.upkeep().deleteExpired(QUEUE, 100));
		for (WorkFinder.Kind kind : WorkFinder.Kind.values()) {
			attempt(() -> this.broker.work().find(kind, List.of(QUEUE)));
		}
		register();
		schedule();
		read();
		limit();
		repair();
		aggregate();
		listen();
		inspect();
		return this.errors;
	}

	private void enqueue() {
		Duration lock = Duration.ofHours(1);
		Placement later = new Placement.Scheduled(Instant.now().plusSeconds(60));
		List<EnqueueRequest> requests = List.of(
				new EnqueueRequest(message("e1").build(), new Placement.Pending(), null),
				new EnqueueRequest(typed("e2"), new Placement.Pending(), lock),
				new EnqueueRequest(message("e3").group("g").build(), later, null),
				new EnqueueRequest(typed("e4"), later, lock),
				new EnqueueRequest(message("e5").group("g").build(), new Placement.Grouped(), null),
				new EnqueueRequest(typed("e6").toBuilder().group("g").build(), new Placement.Grouped(), lock));
		requests.forEach((request) -> attempt(() -> this.broker.enqueuer().enqueue(request)));
		enqueueAll(new EnqueueRequest(message("b1").build(), new Placement.Pending(), null));
		enqueueAll(new EnqueueRequest(typed("b2"), new Placement.Pending(), lock),
				new EnqueueRequest(message("b3").group("g").build(), later, null),
				new EnqueueRequest(message("b4").group("g").build(), new Placement.Grouped(), null));
		this.state.seedArchived(past(), message("r1").build());
		enqueueAll(new EnqueueRequest(typed("r1"), new Placement.Pending(), lock, "k", true));
		OutboxStore outbox = this.broker.outbox();
		List<OutboxTask> tasks = List
			.of(outbox.pack(new EnqueueRequest(message("o1").build(), new Placement.Pending(), null), "mark"));
		attempt(() -> outbox.send(QUEUE, tasks, outbox.begin(QUEUE, List.of()).time().plusSeconds(5)));
		attempt(() -> outbox.begin(QUEUE, List.of("mark")));
		this.state.seedScheduled(past(), message("f1").build());
		this.state.seedRetry(past(), message("f2").group("g").build());
		this.state.seedField(QUEUE, "f2", "group", "g".getBytes(StandardCharsets.UTF_8));
	}

	private void enqueueAll(EnqueueRequest... requests) {
		attempt(() -> note(this.broker.enqueuer().enqueueAll(List.of(requests))));
	}

	private void report(List<? extends Outcome> outcomes) {
		attempt(() -> {
			List<OutcomeResult> results = this.broker.completer().report(outcomes);
			results.stream().filter((result) -> result.error() != null).forEach((result) -> note(result.error()));
		});
	}

	private void dequeueAndReport() {
		this.state.seedPending(message("p1").uniqueKey("asynq:{default}:unique:x:").build(), message("p2").build(),
				message("p3").build(), message("p4").build(), message("p5").build(), message("p6").build());
		this.state.seedLock("asynq:{default}:unique:x:", "p1");
		this.state.seedArchived(past(), message("ancient").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { 0x0F });
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "bad");
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "ghost");
		List<LeasedTask> tasks = new ArrayList<>();
		attempt(() -> tasks.addAll(this.broker.dequeuer().dequeue(QUEUE, 64).tasks()));
		while (tasks.size() < 6) {
			tasks.add(new LeasedTask(message("p" + tasks.size()).build(),
					new Lease(QUEUE, "p" + tasks.size(), "none", System.nanoTime())));
		}
		attempt(() -> this.broker.completer().writeResult(tasks.get(0).lease(), new byte[1]));
		attempt(() -> this.broker.upkeep().extend(QUEUE, List.of(tasks.get(0).lease())));
		attempt(() -> this.broker.completer().begin(QUEUE, tasks));
		attempt(() -> this.broker.completer().note(QUEUE, tasks));
		attempt(() -> giveBack(tasks.get(0).lease().fence()));
		report(List.of(new Outcome.Done(tasks.get(0)), new Outcome.Completed(tasks.get(1), new byte[1]),
				new Outcome.Retry(tasks.get(2), "boom", Due.in(Duration.ZERO), true),
				new Outcome.Archive(tasks.get(3), "boom"), new Outcome.Requeue(tasks.get(4)),
				new Outcome.Postpone(tasks.get(5), Due.in(Duration.ZERO))));
		waitForHandler();
	}

	private void callForSeveralQueues() {
		Duration lock = Duration.ofHours(1);
		enqueueAll(new EnqueueRequest(message("m1").build(), new Placement.Pending(), null),
				new EnqueueRequest(RedisState.message(OTHER, "m1").build(), new Placement.Pending(), null));
		enqueueAll(new EnqueueRequest(typed("m2"), new Placement.Pending(), lock),
				new EnqueueRequest(typed(OTHER, "m2"), new Placement.Pending(), lock));
		this.state.seedArchived(past(), message("m3").build());
		this.state.seedArchived(past(), RedisState.message(OTHER, "m3").build());
		enqueueAll(new EnqueueRequest(typed("m3"), new Placement.Pending(), lock, "k3", true),
				new EnqueueRequest(typed(OTHER, "m3"), new Placement.Pending(), lock, "k3", true));
		LimitClass limits = LimitClass.of(QUEUE, List.of("pdf"));
		List<Function<LeasedTask, Outcome>> kinds = List.of(Outcome.Done::new,
				(task) -> new Outcome.Completed(task, new byte[1]),
				(task) -> new Outcome.Retry(task, "boom", Due.in(Duration.ZERO), true),
				(task) -> new Outcome.Archive(task, "boom"), Outcome.Requeue::new,
				(task) -> new Outcome.Postpone(task, Due.in(Duration.ZERO)),
				(task) -> new Outcome.Wait(task, limits, Due.in(Duration.ofHours(1))),
				(task) -> new Outcome.Unhandled(task, "none", Duration.ofMinutes(1), Duration.ofDays(7)));
		for (int i = 0; i < kinds.size(); i++) {
			this.state.seedPending(message("n" + i).build(), RedisState.message(OTHER, "n" + i).build());
			List<LeasedTask> tasks = new ArrayList<>();
			attempt(() -> this.broker.dequeuer()
				.dequeue(List.of(new QueueShare(QUEUE, 64), new QueueShare(OTHER, 64)), 128, 0)
				.stream()
				.filter((answer) -> answer.dequeued() != null)
				.forEach((answer) -> tasks.addAll(answer.dequeued().tasks())));
			report(tasks.stream().map(kinds.get(i)).toList());
		}
	}

	private void waitForHandler() {
		this.state.seedPending(message("u1").build(), message("u2").build());
		List<Outcome> unhandled = new ArrayList<>();
		attempt(() -> this.broker.dequeuer()
			.dequeue(QUEUE, 64)
			.tasks()
			.forEach((task) -> unhandled
				.add(new Outcome.Unhandled(task, "none", Duration.ofMinutes(1), Duration.ofDays(7)))));
		report(unhandled);
		this.state.redis().opsForZSet().add("asynqj:{default}:unhandled:email:send", "gone", 2e10);
		UnhandledStore.Waiting type = new UnhandledStore.Waiting("email:send", 2, 0);
		attempt(() -> this.broker.unhandled().waiting(QUEUE));
		attempt(() -> this.broker.unhandled().putOff(QUEUE, type, Duration.ofDays(7)));
		attempt(() -> this.broker.unhandled().release(QUEUE, type));
	}

	private void giveBack(String fence) {
		LostDequeues lost = new LostDequeues(this.scripts, ScriptTime.REDIS);
		lost.add(QUEUE, fence, List.of());
		lost.giveBack(QUEUE);
	}

	private void keepLeases() {
		this.state.seedActive(past(), message("lost").build());
		this.state.seedActive(null, message("bare").build());
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "gone", 1);
		attempt(() -> this.broker.upkeep()
			.claim(QUEUE, this.broker.upkeep().ending(QUEUE, Duration.ZERO, Duration.ofSeconds(10), 0, 100).leases()));
		attempt(() -> this.broker.upkeep().withoutLease(QUEUE));
		attempt(() -> this.broker.upkeep().attachLease(QUEUE, List.of("bare"), Duration.ZERO));
	}

	private void register() {
		ServerIdentity identity = new ServerIdentity("host", 1, "id");
		attempt(() -> this.broker.servers().enlist(identity, Duration.ofSeconds(10)));
		attempt(() -> this.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(Map.of(QUEUE, 1), false), "active", Instant.now(),
					Collections.nCopies(1001, new WorkerSnapshot(message("t").build(), Instant.now(), Instant.now())),
					Map.of()), Duration.ofSeconds(10)));
		attempt(() -> this.broker.servers().ask(identity, ServerWish.of(true)));
		attempt(() -> this.broker.servers().writeTypes(identity, "", Duration.ofSeconds(10)));
		attempt(() -> this.broker.servers().served());
		attempt(() -> this.broker.servers().listedTasks());
		attempt(() -> this.broker.servers().clear(identity));
	}

	private void schedule() {
		ServerIdentity identity = new ServerIdentity("host", 1, "scheduler");
		ServerIdentity other = new ServerIdentity("host", 1, "other");
		List<SchedulerEntrySnapshot> entries = List
			.of(new SchedulerEntrySnapshot("entry", "@daily", "type", null, TaskOptions.none(), null, null));
		attempt(() -> this.broker.schedulers().write(identity, entries, Duration.ofSeconds(20)));
		attempt(() -> this.broker.schedulers().write(other, entries, Duration.ofSeconds(20)));
		Placement later = new Placement.Scheduled(Instant.now().plusSeconds(60));
		List<EnqueueRequest> requests = List.of(
				new EnqueueRequest(typed("s1"), new Placement.Pending(), Duration.ofHours(1)),
				new EnqueueRequest(message("s2").group("g").build(), later, null),
				new EnqueueRequest(message("s3").group("g").build(), new Placement.Grouped(), null));
		for (EnqueueRequest request : requests) {
			Fire fire = new Fire(request.message().id(), past(), "scheduler", true, false);
			attempt(() -> this.broker.schedulers().enqueue(request, fire));
			attempt(() -> this.broker.schedulers().enqueue(request, fire));
		}
		attempt(() -> this.broker.schedulers().lastFire(QUEUE, "entry", past()));
		attempt(() -> this.broker.schedulers().forgetFires(QUEUE, "another"));
		attempt(() -> this.broker.schedulers().pass(QUEUE, new Fire("entry", Instant.now(), "scheduler", true, false)));
		attempt(() -> this.broker.schedulers().recordEnqueued("entry", "s1", past()));
		attempt(() -> this.broker.schedulers().forget(identity, List.of("entry", "another")));
		attempt(() -> this.broker.schedulers().clear(identity));
	}

	private void read() {
		attempt(() -> this.broker.queues().queues());
		attempt(() -> this.broker.queues().stats(QUEUE));
		attempt(() -> this.broker.manyQueues().names());
		attempt(() -> this.broker.manyQueues().stats(List.of(QUEUE)).errors().values().forEach(this::note));
		attempt(() -> this.broker.queues().ping());
		attempt(() -> this.broker.tasks().find(QUEUE, "e1"));
		attempt(() -> this.scripts.runList(LuaScript.CHECK_RIGHTS, "rights",
				List.of(Keys.check("rights"), "asynq:{default}:rights"), Keys.CANCEL_CHANNEL));
		for (int i = 0; i <= RareCounts.FEW; i++) {
			this.state.redis().opsForSet().add("asynq:{default}:groups", "group" + i);
		}
		attempt(() -> this.broker.queues().stats(QUEUE));
		this.state.seedPending(message("stateless").build());
		this.state.redis().opsForHash().delete("asynq:{default}:t:stateless", "state");
		attempt(() -> this.broker.tasks().find(QUEUE, "stateless"));
	}

	private void limit() {
		Token token = new Token("t1", "attempt", Duration.ofSeconds(60));
		this.state.redis().opsForZSet().add("asynq:sema:api", "old", 1);
		attempt(() -> this.broker.semaphores().acquire("api", 1, token));
		attempt(() -> this.broker.semaphores().release("api", token));
		LimitClass limits = LimitClass.of(QUEUE, List.of("pdf"));
		List<LimitClaim> claims = List.of(new LimitClaim(limits, "t1", "attempt", false),
				new LimitClaim(limits, "t2", "a", true));
		attempt(() -> this.broker.limits().announce(Map.of("pdf", new LimitRule(1, 1000, 1000, "1000/s"))));
		attempt(() -> this.broker.limits().change("pdf", null));
		attempt(() -> this.broker.limits().take(claims));
		attempt(() -> this.broker.limits().extend(claims));
		this.state.seedPending(message("waits").build());
		attempt(() -> this.broker.dequeuer()
			.dequeue(QUEUE, 1)
			.tasks()
			.forEach((task) -> this.broker.completer()
				.report(List.of(new Outcome.Wait(task, limits, Due.in(Duration.ofHours(1)))))));
		attempt(() -> this.broker.limits().lineUp(List.of(limits)));
		attempt(() -> this.broker.limits().unnoted(QUEUE));
		attempt(() -> this.broker.limits().note(List.of(limits)));
		attempt(() -> this.broker.limits().look(true));
		attempt(() -> this.broker.limits().sweep(false));
		List<LimitTurns.Turn> turns = List.of(new LimitTurns.Turn(limits, 1, "1"));
		attempt(() -> this.broker.limits().giveBack(this.broker.limits().wake(QUEUE, turns)));
		attempt(() -> this.broker.limitReader().limits());
		attempt(() -> this.broker.limitReader().keys("pdf", 10));
		attempt(() -> this.broker.limitReader().waitsFor(QUEUE, "waits"));
		attempt(() -> this.broker.limits().release(claims));
	}

	private void repair() {
		this.state.redis().delete("asynq:{default}:groups");
		this.state.seedGrouped(past(), message("g1").group("unlisted").build());
		this.state.redis().opsForSet().remove("asynq:{default}:groups", "unlisted");
		this.state.redis().opsForZSet().add("asynq:{default}:g:unlisted:7e4ab9cd-1b2c-4ab1-9a30-1b2c3d4e5f60", "g1", 1);
		attempt(() -> this.broker.groups().relist(QUEUE));
		this.state.seedLock("asynq:{default}:unique:left:", "nobody");
		this.state.seedPending(message("nowhere").build());
		this.state.redis().opsForList().remove("asynq:{default}:pending", 0, "nowhere");
		this.state.redis().opsForSet().add("asynq:{default}:groups", "empty");
		this.state.redis().opsForSet().remove("asynq:queues", QUEUE);
		this.state.redis().opsForZSet().add("asynq:{default}:retry", "p2", 1.5);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "e1", 1);
		this.state.seedActive(null, message("bare").build());
		this.state.redis().opsForValue().set("asynq:{default}:t:text", "no hash");
		this.state.redis().delete("asynq:{default}:archived");
		this.state.redis().opsForValue().set("asynq:{default}:archived", "no sorted set");
		QueueRepair repair = new QueueRepair(this.broker);
		attempt(() -> repair.diagnose(QUEUE));
		for (Inconsistency.Kind kind : Inconsistency.Kind.values()) {
			attempt(() -> repair.repair(QUEUE, Set.of(kind), false));
		}
	}

	private void inspect() {
		this.state.redis().delete("asynq:{default}:archived");
		Map<TaskState, Consumer<TaskMessage>> seeds = Map.of(TaskState.PENDING, this.state::seedPending,
				TaskState.SCHEDULED, (task) -> this.state.seedScheduled(past(), task), TaskState.AGGREGATING,
				(task) -> this.state.seedGrouped(past(), task));
		this.state.seedArchived(past(), message("ancient").build());
		seeds.forEach((state, seed) -> {
			for (TaskMove move : TaskMove.values()) {
				seed.accept(message("one").group("g").uniqueKey("asynq:{default}:unique:y:").build());
				this.state.seedLock("asynq:{default}:unique:y:", "one");
				attempt(() -> this.broker.tasks().updatePayload(QUEUE, "one", new byte[1]));
				attempt(() -> this.broker.tasks().move(QUEUE, move, List.of("one")));
				seed.accept(message("all").group("g").build());
				attempt(() -> this.broker.tasks().moveAll(QUEUE, move, state));
				attempt(() -> this.broker.tasks().moveGroup(QUEUE, move, "g"));
			}
			attempt(() -> this.broker.tasks().list(QUEUE, state, 0, 30));
		});
		cancel();
		this.state.seedGrouped(past(), message("grouped").group("g").build());
		attempt(() -> this.broker.tasks().listGroup(QUEUE, "g", 0, 30));
		attempt(() -> this.broker.queues().groups(QUEUE));
		attempt(() -> this.broker.queues().groups(QUEUE, null, 10));
		attempt(() -> this.broker.queues().groupSize(QUEUE, "g"));
		attempt(() -> this.broker.queues().history(QUEUE, LocalDate.EPOCH, 2));
		attempt(() -> this.broker.queues().memoryUsage(QUEUE));
		this.state.seedServer("x", future(), new byte[0]);
		this.state.redis().opsForHash().put("asynq:workers:{x}", "t", "");
		this.state.seedScheduler("asynq:schedulers:{x}", future(), new byte[0]);
		this.state.seedMember("asynq:scheduler_history:x", new byte[0], 1);
		attempt(() -> this.broker.fleet().servers());
		attempt(() -> this.broker.manyQueues().consumers());
		attempt(() -> this.broker.fleet().held());
		attempt(() -> this.broker.fleet().schedulerEntries());
		attempt(() -> this.broker.fleet().enqueueEvents("x", 0, 30));
		attempt(() -> this.broker.queueKeeper().pause(QUEUE));
		attempt(() -> this.broker.queueKeeper().resume(QUEUE));
		this.state.redis().delete("asynq:{default}:active");
		this.state.seedPending(message("last").build());
		attempt(() -> this.broker.queueKeeper().delete(QUEUE, false));
		attempt(() -> this.broker.queueKeeper().delete(QUEUE, true));
	}

	private void cancel() {
		this.state.seedActive(future(), message("cancelled").build());
		attempt(() -> this.broker.tasks().cancel(QUEUE, "cancelled", CancelMode.RETRY, true));
		attempt(() -> this.broker.tasks().cancel(QUEUE, "cancelled", CancelMode.DELETE, true));
		this.state.seedField(QUEUE, "cancelled", "state", "pending".getBytes(StandardCharsets.UTF_8));
		attempt(() -> this.broker.upkeep().forward(QUEUE));
		this.state.seedServer("y", future(), new byte[0]);
		attempt(() -> this.broker.fleet().hasJavaServer(QUEUE));
	}

	private void aggregate() {
		this.state.redis().delete("asynq:{default}:archived");
		GroupLimits limits = GroupLimits.defaults().withMaxSize(2);
		attempt(() -> this.broker.groups().due(QUEUE, limits, null));
		EnqueueRequest unique = new EnqueueRequest(typed("a1"), new Placement.Pending(), Duration.ofHours(1));
		EnqueueRequest later = new EnqueueRequest(message("a2").build(), new Placement.Scheduled(Instant.now()), null);
		for (EnqueueRequest request : List.of(unique, later)) {
			String group = "of" + request.message().id();
			this.state.seedGrouped(past().minusSeconds(1), message(group + 1).group(group).build());
			this.state.seedGrouped(past(),
					message(group + 2).uniqueKey("asynq:{default}:unique:y:").group(group).build(),
					message(group + 3).group(group).build());
			this.state.seedLock("asynq:{default}:unique:y:", group + 2);
			attempt(() -> aggregate(this.broker.groups().stage(QUEUE, group, limits), request));
			attempt(() -> aggregate(this.broker.groups().stage(QUEUE, group, limits), request));
		}
		this.state.redis().opsForZSet().add("asynqj:{default}:aggregated", "asynq:{default}:g:g:x", 1);
		attempt(() -> this.broker.groups().deleteLeftOver(QUEUE));
		this.state.redis().opsForHash().put("asynqj:{default}:aggregators", "asynq:{default}:g:g:x", "1|host:1");
		attempt(() -> this.broker.groups().countCrashed(QUEUE));
	}

	private void aggregate(@Nullable StagedGroup staged, EnqueueRequest request) {
		if (staged == null) {
			throw new AssertionError("Not due");
		}
		List<TaskMessage> members = new ArrayList<>();
		attempt(() -> this.broker.groups().begin(staged));
		attempt(() -> this.broker.groups().end(staged, GroupStore.End.CRASHED));
		attempt(() -> members.addAll(this.broker.groups().read(staged)));
		if (members.isEmpty()) {
			return;
		}
		attempt(() -> this.broker.groups().archive(staged, List.of(members.get(0)), "no use"));
		attempt(() -> this.broker.groups().finish(staged, members.subList(0, 1), request));
		attempt(() -> this.broker.groups().giveBack(staged));
	}

	private void listen() {
		CountDownLatch ready = new CountDownLatch(1);
		Subscription cancellations = this.broker.cancellations().subscribe(ready::countDown, (id) -> {
		});
		during(cancellations, ready, () -> this.broker.cancellations().cancel("t1"));
		CountDownLatch live = new CountDownLatch(1);
		ArrivalSubscription arrivals = this.broker.arrivals().subscribe(Set.of(QUEUE), new ArrivalListener() {

			@Override
			public void onReady() {
				live.countDown();
			}

			@Override
			public void onPending(String queue) {
			}

			@Override
			public void onDelayed(String queue) {
			}

			@Override
			public void onMoved(String queue, String master) {
			}

		});
		during(arrivals, live, () -> {
			arrivals.watchPending(Set.of(QUEUE));
			arrivals.watchDelayed(Set.of(QUEUE));
		});
	}

	private void during(Subscription subscription, CountDownLatch ready, Runnable call) {
		Thread listener = new Thread(() -> {
			attempt(subscription::listen);
			ready.countDown();
		});
		listener.start();
		attempt(() -> {
			awaitReady(ready);
			call.run();
		});
		attempt(subscription::close);
		try {
			listener.join(TimeUnit.SECONDS.toMillis(10));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitReady(CountDownLatch ready) {
		try {
			if (!ready.await(60, TimeUnit.SECONDS)) {
				throw new AssertionError("Nobody listens");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void flushScripts() {
		try (RedisConnection connection = this.admin.getConnection()) {
			connection.scriptingCommands().scriptFlush();
		}
	}

	private void note(List<Optional<AsynqException>> errors) {
		errors.forEach((error) -> error.ifPresent(this::note));
	}

	private void attempt(Runnable call) {
		try {
			this.around.apply(call).run();
		}
		catch (AsynqException ex) {
			note(ex);
		}
	}

	private synchronized void note(Throwable error) {
		this.errors.add(String.valueOf(error.getMessage()));
	}

	private static TaskMessage typed(String id) {
		return typed(QUEUE, id);
	}

	private static TaskMessage typed(String queue, String id) {
		return TaskMessage.builder("type:" + id, id, queue).timeoutSeconds(60).build();
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

	private static Instant future() {
		return Instant.ofEpochSecond(4_000_000_000L);
	}

	private static Instant past() {
		return Instant.ofEpochSecond(1_700_000_000);
	}

}
