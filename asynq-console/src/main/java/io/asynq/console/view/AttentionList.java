package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.TaskState;
import io.asynq.broker.check.Finding;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.console.task.Viewer;
import io.asynq.info.QueueInfo;
import io.asynq.info.ServerInfo;
import io.asynq.info.WorkerInfo;

/**
 * Finds what somebody should look at, the worst first.
 */
final class AttentionList {

	private static final int MOST = 100;

	private static final Duration PAUSED_LONG = Duration.ofHours(1);

	private static final Duration PAUSED_VERY_LONG = Duration.ofDays(1);

	/** The archive of a queue keeps 10,000 tasks; older ones are deleted. */
	private static final long NEARLY_FULL = 9_000;

	private static final Duration CLOCKS_MAY_DIFFER = Duration.ofSeconds(5);

	private static final Duration FORGOTTEN = Duration.ofDays(1);

	/** How many of a queue's types that nobody handles are named. */
	private static final int TYPES_NAMED = 3;

	/** An order that does not change as tasks are put off: lines stay what they are. */
	private static final Comparator<UnhandledStore.Waiting> MOST_TASKS_FIRST = Comparator
		.comparingLong(UnhandledStore.Waiting::tasks)
		.reversed()
		.thenComparing(UnhandledStore.Waiting::type);

	private static final int LONGEST_NAME = 40;

	private final State state;

	private final Viewer viewer;

	private final Instant now;

	private final List<Attention> found = new ArrayList<>();

	private AttentionList(State state, Viewer viewer) {
		this.state = state;
		this.viewer = viewer;
		this.now = state.board().at();
	}

	static List<Attention> of(State state, Viewer viewer) {
		AttentionList list = new AttentionList(state, viewer);
		list.look();
		return list.found.stream()
			.sorted(Comparator.comparingInt(Attention::rank)
				.thenComparing(Attention::kind)
				.thenComparing((one) -> -((one.count() != null) ? one.count() : 0)))
			.limit(MOST)
			.toList();
	}

	private void look() {
		Set<String> covered = new HashSet<>();
		this.state.fleet().live().forEach((server) -> covered.addAll(server.info().queues().keySet()));
		for (QueueInfo queue : this.state.board().queues()) {
			if (this.viewer.sees(queue.queue())) {
				lookAt(queue, covered.contains(queue.queue()));
			}
		}
		this.state.unhandled().forEach((queue, types) -> {
			if (this.viewer.sees(queue) && !types.isEmpty()) {
				addUnhandled(queue, types);
			}
		});
		this.state.fleet().live().forEach(this::lookAt);
		this.state.fleet().lost().forEach(this::addLost);
		this.state.findings().forEach(this::addFinding);
	}

	private void lookAt(QueueInfo queue, boolean covered) {
		String name = queue.queue();
		Attention.Screen screen = new Attention.Screen("queue", Map.of("q", name));
		long waiting = queue.size() - queue.size(TaskState.ARCHIVED) - queue.size(TaskState.COMPLETED);
		if (!covered && waiting > 0) {
			long pending = queue.size(TaskState.PENDING) + queue.size(TaskState.ACTIVE);
			add(new Attention("queue-without-consumer", (pending > 0) ? Attention.ERROR : Attention.WARNING, name, null,
					null, waiting, null, "No live server takes tasks of this queue: " + waiting + " wait", screen));
		}
		Instant since = this.state.pausedSince().get(name);
		if (queue.paused() && since != null && !since.isAfter(this.now.minus(PAUSED_LONG))) {
			add(new Attention("paused-long",
					since.isAfter(this.now.minus(PAUSED_VERY_LONG)) ? Attention.INFO : Attention.WARNING, name, null,
					null, queue.size(TaskState.PENDING), since, "This queue is paused, and has been for long", screen));
		}
		long archived = queue.size(TaskState.ARCHIVED);
		if (archived >= NEARLY_FULL) {
			add(new Attention("archive-near-cap", Attention.WARNING, name, null, null, archived, null,
					"The archive of this queue is nearly full: of more than 10,000 tasks the oldest are deleted",
					new Attention.Screen("queue", Map.of("q", name, "state", TaskState.ARCHIVED.wireName()))));
		}
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
		add(new Attention("type-without-handler", Attention.ERROR, queue,
				(types.size() == 1) ? types.get(0).type() : null, null, tasks, null,
				"No server that has taken tasks of type " + names
						+ ((more > 0) ? " and " + atLeast + more + " more" : "") + " has a handler for them: " + atLeast
						+ tasks + " wait",
				new Attention.Screen("queue", Map.of("q", queue, "state", TaskState.RETRY.wireName()))));
	}

	private static String shortened(String type) {
		return (type.codePointCount(0, type.length()) > LONGEST_NAME)
				? type.substring(0, type.offsetByCodePoints(0, LONGEST_NAME)) + "…" : type;
	}

	private void lookAt(FleetSurvey.Live server) {
		ServerInfo info = server.info();
		for (WorkerInfo worker : info.workers()) {
			if (Stuck.is(worker, this.now) && this.viewer.sees(worker.queue())) {
				boolean over = !worker.deadline().isAfter(this.now);
				add(new Attention("stuck-handler", over ? Attention.ERROR : Attention.WARNING, worker.queue(),
						worker.task().type(), worker.taskId(), null, worker.startedAt(),
						over ? "This handler runs although its time is over"
								: "This handler has used up nearly all its time",
						new Attention.Screen("task", Map.of("q", worker.queue(), "id", worker.taskId()))));
			}
		}
		if (server.ahead().abs().compareTo(CLOCKS_MAY_DIFFER) > 0) {
			long seconds = server.ahead().abs().toSeconds();
			add(new Attention("clock-skew", Attention.WARNING, null, null, info.id(), null, null,
					"The clock of server " + info.host() + ":" + info.pid() + " is at least " + seconds + " s "
							+ (server.ahead().isNegative() ? "behind" : "ahead of") + " that of Redis",
					servers()));
		}
	}

	private void addLost(FleetSurvey.Lost server) {
		Instant since = server.since();
		boolean old = since == null || since.isBefore(this.now.minus(FORGOTTEN));
		add(new Attention("dead-server", old ? Attention.INFO : Attention.WARNING, null, null, server.name(), null,
				since,
				"Server " + server.name() + " has gone without signing off: it was killed, or cannot reach Redis",
				servers()));
	}

	private void addFinding(Finding finding) {
		add(new Attention("preflight", Attention.WARNING, null, null, null, null, null,
				finding.problem() + ". To do: " + finding.fix(), new Attention.Screen("redis", Map.of())));
	}

	private static Attention.Screen servers() {
		return new Attention.Screen("servers", Map.of());
	}

	private void add(Attention attention) {
		this.found.add(attention);
	}

}
