package io.asynq.operations.attention;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.inspect.WorkerInfo;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.operations.attention.Attention.Item;
import io.asynq.operations.attention.Attention.Screen;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.operations.survey.TaskSurvey;
import org.jspecify.annotations.Nullable;

final class AttentionFinder {

	private static final int MOST = 100;

	private static final Duration PAUSED_LONG = Duration.ofHours(1);

	private static final Duration PAUSED_VERY_LONG = Duration.ofDays(1);

	/** The archive of a queue keeps so many tasks; older ones are deleted. */
	private static final long FULL = 10_000;

	private static final long NEARLY_FULL = 9_000;

	private static final Duration LATE = Duration.ofMinutes(5);

	private static final Duration VERY_LATE = Duration.ofHours(1);

	private static final Duration STARVING = Duration.ofMinutes(15);

	private static final double NEARLY_ALL = 0.9;

	private static final Duration CLOCKS_MAY_DIFFER = Duration.ofSeconds(5);

	private static final Duration FORGOTTEN = Duration.ofDays(1);

	private static final int TYPES_NAMED = 3;

	/** An order that does not change as tasks are put off: lines stay what they are. */
	private static final Comparator<UnhandledStore.Waiting> MOST_TASKS_FIRST = Comparator
		.comparingLong(UnhandledStore.Waiting::tasks)
		.reversed()
		.thenComparing(UnhandledStore.Waiting::type);

	private static final Comparator<Item> WORST_FIRST = Comparator.comparing(Item::severity)
		.thenComparing((item) -> -Objects.requireNonNullElse(item.count(), 0L))
		.thenComparing((item) -> item.queue() + "\n" + item.type() + "\n" + item.id());

	private static final int LONGEST_NAME = 40;

	private final Situation state;

	private final Predicate<String> sees;

	private final Instant now;

	private final Map<AttentionKind, List<Item>> found = new EnumMap<>(AttentionKind.class);

	private AttentionFinder(Situation state, Predicate<String> sees) {
		this.state = state;
		this.sees = sees;
		this.now = state.board().at();
	}

	static List<Attention> find(Situation state, Predicate<String> sees) {
		AttentionFinder finder = new AttentionFinder(state, sees);
		finder.look();
		return finder.found.entrySet()
			.stream()
			.map((kind) -> together(kind.getKey(), kind.getValue()))
			// The order of the kinds where they are as bad
			.sorted(Comparator.comparing(Attention::severity))
			.toList();
	}

	private static Attention together(AttentionKind kind, List<Item> all) {
		List<Item> items = all.stream().sorted(WORST_FIRST).limit(MOST).toList();
		Item first = items.get(0);
		boolean one = all.size() == 1;
		return new Attention(kind.wireName(), first.severity(), all.size(),
				all.stream().map(Item::since).filter(Objects::nonNull).min(Comparator.naturalOrder()).orElse(null),
				one ? first.text() : kind.several(all.size()), kind.action(), one ? first.screen() : kind.screen(),
				items);
	}

	private void look() {
		Set<String> covered = this.state.covered();
		for (QueueInfo queue : this.state.board().queues()) {
			if (this.sees.test(queue.queue())) {
				lookAt(queue, covered.contains(queue.queue()));
			}
		}
		this.state.unhandled().forEach((queue, types) -> {
			if (this.sees.test(queue) && !types.isEmpty()) {
				addUnhandled(queue, types);
			}
		});
		this.state.rates().failing().forEach(this::addFailing);
		this.state.orphaned().forEach(this::addOrphaned);
		this.state.periodic().forEach(this::addPeriodic);
		this.state.starving().forEach(this::addStarving);
		this.state.fleet().live().forEach(this::lookAt);
		this.state.fleet().lost().forEach(this::addLost);
		this.state.findings().forEach(this::addFinding);
	}

	private void lookAt(QueueInfo queue, boolean covered) {
		String name = queue.queue();
		Screen screen = Screen.queue(name);
		long waiting = queue.size() - queue.size(TaskState.ARCHIVED) - queue.size(TaskState.COMPLETED);
		if (!covered && waiting > 0) {
			long pending = queue.size(TaskState.PENDING) + queue.size(TaskState.ACTIVE);
			add(AttentionKind.QUEUE_WITHOUT_CONSUMER,
					new Item((pending > 0) ? Severity.ERROR : Severity.WARNING, name, null, null, waiting,
							pendingSince(queue),
							"No live server takes tasks of this queue: " + waiting + waiting(waiting), screen));
		}
		Instant since = this.state.pausedSince().get(name);
		if (queue.paused() && since != null && !since.isAfter(this.now.minus(PAUSED_LONG))) {
			add(AttentionKind.PAUSED_LONG,
					new Item(since.isAfter(this.now.minus(PAUSED_VERY_LONG)) ? Severity.INFO : Severity.WARNING, name,
							null, null, queue.size(TaskState.PENDING), since,
							"This queue is paused, and has been for long", screen));
		}
		if (covered && !queue.paused()) {
			lookAtBacklog(queue);
		}
		long archived = queue.size(TaskState.ARCHIVED);
		if (archived >= FULL) {
			add(AttentionKind.ARCHIVE_FULL,
					new Item(Severity.ERROR, name, null, null, archived, null,
							"The archive of this queue is full: with each further task the oldest is deleted",
							Screen.queue(name, TaskState.ARCHIVED.wireName())));
		}
		else if (archived >= NEARLY_FULL) {
			add(AttentionKind.ARCHIVE_NEAR_CAP, new Item(Severity.WARNING, name, null, null, archived, null,
					"The archive of this queue is nearly full: of more than 10,000 tasks the oldest are deleted",
					Screen.queue(name, TaskState.ARCHIVED.wireName())));
		}
	}

	private void lookAtBacklog(QueueInfo queue) {
		String name = queue.queue();
		Screen screen = Screen.queue(name, TaskState.PENDING.wireName());
		long pending = queue.size(TaskState.PENDING);
		if (pending > 0 && queue.latency().compareTo(LATE) > 0) {
			add(AttentionKind.BACKLOG,
					new Item((queue.latency().compareTo(VERY_LATE) > 0) ? Severity.ERROR : Severity.WARNING, name, null,
							null, pending, pendingSince(queue), "The next of " + pending + " pending tasks has waited "
									+ queue.latency().toMinutes() + " min",
							screen));
			return;
		}
		this.state.rates()
			.growing()
			.stream()
			.filter((growing) -> growing.queue().equals(name))
			.forEach((growing) -> add(AttentionKind.BACKLOG,
					new Item(
							Severity.WARNING, name, null, null, pending, growing.since(), "The backlog grows: from "
									+ growing.from() + " to " + growing.to() + " pending tasks in some minutes",
							screen)));
	}

	private void addFailing(FailingQueues.Failing failing) {
		if (!this.sees.test(failing.queue())) {
			return;
		}
		double ratio = (double) failing.failed() / failing.processed();
		String when = (failing.last() == null) ? "In the last minutes "
				: "Today (UTC), the last at " + failing.last().truncatedTo(ChronoUnit.SECONDS) + ", ";
		add(AttentionKind.FAILING, new Item((ratio >= NEARLY_ALL) ? Severity.ERROR : Severity.WARNING, failing.queue(),
				failing.type(), null, failing.failed(), failing.since(), when + failing.failed() + " of "
						+ failing.processed() + " executions failed (" + Math.round(100 * ratio) + " %)",
				new Screen("failures", Map.of("queue", failing.queue()))));
	}

	private void addOrphaned(String queue, TaskSurvey.Orphaned orphaned) {
		if (this.sees.test(queue)) {
			add(AttentionKind.ORPHANED_TASKS, new Item(Severity.ERROR, queue, null, null, orphaned.tasks(),
					orphaned.since(),
					(orphaned.tasks() == 1) ? "An active task has lost its worker, and no server has taken it back"
							: orphaned.tasks()
									+ " active tasks have lost their worker, and no server has taken them back",
					Screen.queue(queue, TaskState.ACTIVE.wireName())));
		}
	}

	private void addPeriodic(FailingPeriodicTasks.Failed failed) {
		if (this.sees.test(failed.queue())) {
			add(AttentionKind.PERIODIC_FAILING,
					new Item(Severity.ERROR, failed.queue(), failed.entry().task().type(), failed.entry().id(),
							(long) failed.fires(), failed.since(),
							"Periodic task " + shortened(failed.entry().task().type()) + " (" + failed.entry().spec()
									+ "): what it enqueued last has failed"
									+ ((failed.fires() > 1) ? ", its last " + failed.fires() + " fires in all" : ""),
							new Screen("task", Map.of("q", failed.queue(), "id", failed.last().id()))));
		}
	}

	private void addStarving(LimitReader.Starving starving) {
		if (this.sees.test(starving.queue()) && starving.since().isBefore(this.now.minus(STARVING))) {
			add(AttentionKind.STARVING,
					new Item(Severity.WARNING, starving.queue(), null, starving.limit(), starving.tasks(),
							starving.since(),
							starving.tasks() + ((starving.tasks() == 1) ? " task waits" : " tasks wait") + " for limit "
									+ shortened(starving.limit()) + ", the first for "
									+ Duration.between(starving.since(), this.now).toMinutes() + " min",
							AttentionKind.STARVING.screen()));
		}
	}

	/** The next pending task has waited longest, unless it was put in front. */
	private @Nullable Instant pendingSince(QueueInfo queue) {
		return queue.latency().isZero() ? null : this.now.minus(queue.latency());
	}

	private void addUnhandled(String queue, List<UnhandledStore.Waiting> types) {
		long tasks = types.stream().mapToLong(UnhandledStore.Waiting::tasks).sum();
		String names = types.stream()
			.sorted(MOST_TASKS_FIRST)
			.limit(TYPES_NAMED)
			.map((type) -> shortened(type.type()))
			.collect(Collectors.joining(", "));
		int more = types.size() - TYPES_NAMED;
		// There may be more types than are listed
		String atLeast = (types.size() >= UnhandledStore.MOST_TYPES) ? "at least " : "";
		add(AttentionKind.TYPE_WITHOUT_HANDLER,
				new Item(Severity.ERROR, queue, (types.size() == 1) ? types.get(0).type() : null, null, tasks, null,
						"No server that has taken tasks of type " + names
								+ ((more > 0) ? " and " + atLeast + more + " more" : "") + " has a handler for them: "
								+ atLeast + tasks + waiting(tasks),
						Screen.queue(queue, TaskState.RETRY.wireName())));
	}

	private static String waiting(long tasks) {
		return (tasks == 1) ? " waits" : " wait";
	}

	private static String shortened(String type) {
		return (type.codePointCount(0, type.length()) > LONGEST_NAME)
				? type.substring(0, type.offsetByCodePoints(0, LONGEST_NAME)) + "…" : type;
	}

	private void lookAt(FleetSurvey.Live server) {
		ServerInfo info = server.info();
		for (WorkerInfo worker : info.workers()) {
			if (Stuck.is(worker, this.now) && this.sees.test(worker.queue())) {
				boolean over = !worker.deadline().isAfter(this.now);
				add(AttentionKind.STUCK_HANDLER,
						new Item(over ? Severity.ERROR : Severity.WARNING, worker.queue(), worker.task().type(),
								worker.taskId(), null, worker.startedAt(),
								over ? "This handler runs although its time is over"
										: "This handler has used up nearly all its time",
								new Screen("task", Map.of("q", worker.queue(), "id", worker.taskId()))));
			}
		}
		server.stuck().stream().filter((handler) -> this.sees.test(handler.queue())).forEach((handler) -> {
			add(AttentionKind.STUCK_HANDLER,
					new Item(Severity.ERROR, handler.queue(), handler.type(), handler.taskId(), null, handler.since(),
							"This handler goes on although its attempt has ended, and keeps a worker of server "
									+ info.host() + ":" + info.pid(),
							AttentionKind.STUCK_HANDLER.screen()));
		});
		if (server.ahead().abs().compareTo(CLOCKS_MAY_DIFFER) > 0) {
			long seconds = server.ahead().abs().toSeconds();
			add(AttentionKind.CLOCK_SKEW,
					new Item(Severity.WARNING, null, null, info.id(), null, null,
							"The clock of server " + info.host() + ":" + info.pid() + " is at least " + seconds + " s "
									+ (server.ahead().isNegative() ? "behind" : "ahead of") + " that of Redis",
							AttentionKind.CLOCK_SKEW.screen()));
		}
	}

	private void addLost(FleetSurvey.Lost server) {
		Instant since = server.since();
		boolean old = since == null || since.isBefore(this.now.minus(FORGOTTEN));
		add(AttentionKind.DEAD_SERVER,
				new Item(old ? Severity.INFO : Severity.WARNING, null, null, server.name(), null, since,
						"Server " + server.name()
								+ " has gone without signing off: it was killed, or cannot reach Redis",
						AttentionKind.DEAD_SERVER.screen()));
	}

	private void addFinding(Finding finding) {
		add(AttentionKind.PREFLIGHT, new Item(Severity.WARNING, null, null, null, null, null,
				finding.problem() + ". To do: " + finding.fix(), AttentionKind.PREFLIGHT.screen()));
	}

	private void add(AttentionKind kind, Item item) {
		this.found.computeIfAbsent(kind, (each) -> new ArrayList<>()).add(item);
	}

}
