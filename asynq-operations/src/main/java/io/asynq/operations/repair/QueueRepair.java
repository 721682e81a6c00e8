package io.asynq.operations.repair;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.inspect.Arguments;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.ServedTypes;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.internal.worker.UnhandledStore.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * Finds what contradicts itself in a queue, as after a crash of Redis, a deletion by hand
 * or a fault in a program, and repairs it. Safe for concurrent use; needs a constant
 * amount of memory, however many inconsistencies there are.
 * <p>
 * Every method throws {@link io.asynq.BrokerException} if Redis cannot be reached or
 * fails, and {@link io.asynq.AsynqException} if an argument is blank or out of range.
 */
public class QueueRepair {

	private static final int MOST_SHOWN = 1000;

	/**
	 * A repair can reveal another inconsistency, and an id that is removed during the
	 * walk through a container can hide its neighbour, so repairs go on until nothing is
	 * left.
	 */
	private static final int ROUNDS = 100;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final QueueReader queues;

	private final FleetReader fleet;

	private final UnhandledStore waiting;

	private final ServerRegistry servers;

	/** For what is not on the queue's own master. */
	private final Lanes lanes;

	private final LaneThreads threads;

	public QueueRepair(Broker handle) {
		RedisBroker broker = RedisBroker.of(handle);
		this.scripts = broker.scripts();
		this.time = broker.time();
		this.queues = broker.queues();
		this.fleet = broker.fleet();
		this.waiting = broker.unhandled();
		this.servers = broker.servers();
		this.lanes = new Lanes(List.of(), () -> this.fleet.areSpread(), (names) -> Map.of(), new LoopErrorLog());
		this.threads = this.lanes.threads("asynq-repair");
	}

	/**
	 * Searches a queue for inconsistencies and changes nothing. It scans all tasks of the
	 * queue and all keys of the database, in small steps, so it can take a while.
	 * @param queue its name; the queue need not be listed
	 * @return how many there are, the first 1,000, and tasks that wait for a handler
	 */
	public Diagnosis diagnose(String queue) {
		return diagnose(queue, null, Integer.MAX_VALUE);
	}

	/**
	 * Searches a part of a queue for inconsistencies and changes nothing. One that
	 * concerns several places may be found in several parts.
	 * @param queue its name; the queue need not be listed
	 * @param cursor the {@code next} of the last part, {@code null} to begin
	 * @param limit about how many tasks of the queue and keys of the database to look at,
	 * at least 1. Each part also reads the ids of pending tasks, without their tasks
	 */
	public Diagnosis diagnose(String queue, @Nullable String cursor, int limit) {
		Arguments.requireText("queue", queue);
		requireLimit(limit);
		Map<Inconsistency.Kind, Long> counts = new EnumMap<>(Inconsistency.Kind.class);
		List<Inconsistency> shown = new ArrayList<>();
		String next = check(queue, cursor, limit, (found) -> {
			counts.merge(found.kind(), 1L, Long::sum);
			if (shown.size() < MOST_SHOWN) {
				shown.add(found);
			}
		});
		if (cursor != null) {
			return new Diagnosis(queue, counts, shown, Map.of(), 0, 0, next);
		}
		Map<String, Long> unhandled = this.lanes.ask(this.threads, "unhandled", () -> unhandled(queue));
		Map<String, Long> held = this.lanes.ask(this.threads, "held", this.fleet::held);
		return new Diagnosis(queue, counts, shown, (unhandled != null) ? unhandled : Map.of(), limited(queue),
				(held != null) ? held.getOrDefault(queue, 0L) : 0, next);
	}

	/**
	 * Repairs inconsistencies of a queue, each kind as {@link Inconsistency.Kind}
	 * describes. No task is deleted or counted. Servers can keep running meanwhile.
	 * @param queue its name; the queue need not be listed
	 * @param kinds the kinds to repair, at least one
	 * @param dryRun whether only to report what would be repaired
	 */
	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		Arguments.requireText("queue", queue);
		Tally tally = new Tally(kinds, dryRun);
		String next = null;
		long before;
		int round = 0;
		do {
			before = tally.total();
			tally.left = 0;
			next = repairPart(queue, null, Integer.MAX_VALUE, tally);
			round++;
		}
		while (!dryRun && tally.total() > before && round < ROUNDS);
		return tally.report(queue, next);
	}

	/**
	 * Repairs inconsistencies in a part of a queue. A repair can reveal another
	 * inconsistency, and one that removes an id can hide its neighbour from this walk: go
	 * on until {@code next} is {@code null}, and then begin again, until a whole walk has
	 * repaired nothing.
	 * @param queue its name; the queue need not be listed
	 * @param kinds the kinds to repair, at least one
	 * @param dryRun whether only to report what would be repaired
	 * @param cursor the {@code next} of the last part, {@code null} to begin
	 * @param limit about how many tasks of the queue and keys of the database to look at,
	 * at least 1
	 */
	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun, @Nullable String cursor,
			int limit) {
		Arguments.requireText("queue", queue);
		requireLimit(limit);
		Tally tally = new Tally(kinds, dryRun);
		return tally.report(queue, repairPart(queue, cursor, limit, tally));
	}

	/** Counts tasks without a handler on any live server, of a hundred types at most. */
	public Map<String, Long> unhandled(String queue) {
		List<Waiting> types = this.waiting.waiting(queue);
		if (types.isEmpty()) {
			return Map.of();
		}
		// A type that a live server handles is only noted until that server has looked
		List<ServedTypes> live = this.servers.served()
			.stream()
			.filter((server) -> server.queues().contains(queue))
			.toList();
		return types.stream()
			.filter((type) -> live.stream().noneMatch((server) -> server.includes(type.type())))
			.collect(Collectors.toMap(Waiting::type, Waiting::tasks, Long::sum, TreeMap::new));
	}

	/**
	 * Servers may keep working, as each finding is checked twice; one that concerns
	 * several places may be found in several parts.
	 */
	@Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
		WalkPosition next = new ConsistencyWalk(this.scripts, queue, limit, found).run(WalkPosition.of(cursor));
		return next.isEnd() ? null : next.toString();
	}

	/** Does nothing if it no longer exists, or a key to be written has the wrong type. */
	boolean mend(Inconsistency inconsistency) {
		String queue = inconsistency.queue();
		Keys keys = Keys.of(queue);
		return switch (inconsistency.kind()) {
			case QUEUE_NOT_LISTED ->
				this.scripts.runLong(LuaScript.LIST, Text.queue(queue), List.of(Keys.QUEUES), "", queue) == 1;
			case WRONG_TYPE -> setAside(keys, inconsistency.id());
			case GROUP_NOT_LISTED, GROUP_WITHOUT_TASKS, STAGED_SET_FORGOTTEN -> repairGroup(keys, inconsistency);
			case LOCK_WITHOUT_TASK -> this.scripts.runLong(LuaScript.REPAIR_LOCK, Text.queue(queue),
					List.of(keys.prefix() + inconsistency.id()), keys.taskPrefix()) == 1;
			default -> repairTask(keys, inconsistency);
		};
	}

	private boolean repairTask(Keys keys, Inconsistency inconsistency) {
		return this.scripts.runLong(LuaScript.REPAIR_TASK, Text.queue(inconsistency.queue()), List.of(keys.active()),
				keys.prefix(), keys.ownPrefix(), inconsistency.id(),
				inconsistency.kind().name().toLowerCase(Locale.ROOT), this.time.argument(), inconsistency.place()) == 1;
	}

	private boolean repairGroup(Keys keys, Inconsistency inconsistency) {
		List<String> names = new ArrayList<>(
				List.of(keys.groups(), keys.group(inconsistency.id()), keys.aggregationSets()));
		if (!inconsistency.place().isEmpty()) {
			names.add(keys.prefix() + inconsistency.place());
		}
		return this.scripts.runLong(LuaScript.REPAIR_GROUP, Text.queue(inconsistency.queue()), names, keys.prefix(),
				keys.ownPrefix(), inconsistency.id(), inconsistency.place()) == 1;
	}

	private boolean setAside(Keys keys, String suffix) {
		String key = keys.prefix() + suffix;
		return this.scripts.run("RENAMENX", "key " + key, (template) -> Boolean.TRUE.equals(template.hasKey(key))
				&& Boolean.TRUE.equals(template.renameIfAbsent(key, keys.setAside(suffix))));
	}

	private @Nullable String repairPart(String queue, @Nullable String cursor, int limit, Tally tally) {
		return check(queue, cursor, limit, (found) -> {
			if (tally.wanted.contains(found.kind())) {
				tally.count(found, tally.dryRun || mend(found));
			}
		});
	}

	private long limited(String queue) {
		return this.queues.stats(queue).map(QueueStats::waitingForLimit).orElse(0L);
	}

	private static void requireLimit(int limit) {
		if (limit < 1) {
			throw new AsynqException("Argument 'limit' must be at least 1, but is " + limit);
		}
	}

	private static final class Tally {

		private final Set<Inconsistency.Kind> wanted;

		private final boolean dryRun;

		private final Map<Inconsistency.Kind, Long> repaired = new EnumMap<>(Inconsistency.Kind.class);

		private final List<Inconsistency> examples = new ArrayList<>();

		private long left;

		Tally(Set<Inconsistency.Kind> kinds, boolean dryRun) {
			Arguments.requireValue("kinds", kinds);
			if (kinds.isEmpty()) {
				throw new AsynqException("Argument 'kinds' must name what is to be repaired; EnumSet.allOf("
						+ "Inconsistency.Kind.class) is everything");
			}
			this.wanted = EnumSet.copyOf(kinds);
			this.dryRun = dryRun;
		}

		void count(Inconsistency found, boolean done) {
			if (!done) {
				this.left++;
				return;
			}
			this.repaired.merge(found.kind(), 1L, Long::sum);
			if (this.examples.size() < MOST_SHOWN) {
				this.examples.add(found);
			}
		}

		long total() {
			return this.repaired.values().stream().mapToLong(Long::longValue).sum();
		}

		RepairReport report(String queue, @Nullable String next) {
			return new RepairReport(queue, this.dryRun, this.repaired, this.examples, this.left, next);
		}

	}

}
