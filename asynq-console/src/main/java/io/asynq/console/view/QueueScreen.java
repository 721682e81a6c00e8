package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleException;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.ClusterNode;
import io.asynq.inspect.Listing;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.repair.Diagnosis;
import io.asynq.operations.repair.Inconsistency;
import io.asynq.operations.repair.RepairReport;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSurvey;
import org.jspecify.annotations.Nullable;

final class QueueScreen implements ConsoleScreen {

	private static final Duration MEMORY_AGE = Duration.ofSeconds(60);

	private static final int REMEMBERED = 200;

	private static final Duration STEP = Duration.ofMinutes(1);

	private static final int STEPS = 30;

	private final AsynqInspector inspector;

	private final QueueBoard board;

	private final TaskSurvey tasks;

	private final FleetSurvey servers;

	private final QueueOperations queues;

	private final RepairOperations repair;

	private final Clock clock;

	private final Map<String, Remembered<Long>> memory = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Remembered<Long>> eldest) {
			return size() > REMEMBERED;
		}

	};

	QueueScreen(AsynqInspector inspector, RedisBroker broker, Clock clock) {
		this.inspector = inspector;
		this.board = new QueueBoard(broker, clock);
		this.tasks = new TaskSurvey(broker);
		this.servers = new FleetSurvey(broker, clock);
		this.queues = new QueueOperations(inspector);
		this.repair = new RepairOperations(inspector, broker);
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("queues", this::queues);
		routes.get("queue", this::queue);
		routes.get("groups", this::groups);
		routes.get("diagnosis", this::diagnosis);
		routes.post("queue/pause", ConsoleRight.ACT, (call) -> changed(this.queues.pause(call.queue())));
		routes.post("queue/resume", ConsoleRight.ACT, (call) -> changed(this.queues.resume(call.queue())));
		routes.post("queue/delete", ConsoleRight.ADMIN, this::delete);
		routes.ask("repair/preview", (call) -> walk(call, true));
		routes.post("repair", ConsoleRight.ADMIN, this::repair);
	}

	private Queues queues(ConsoleCall call) {
		String after = call.text("cursor");
		List<String> names = this.inspector.queues()
			.stream()
			.filter((name) -> call.caller().sees(name) && (after == null || name.compareTo(after) > 0))
			.sorted()
			.toList();
		List<String> part = names.subList(0, Math.min(Overview.PART, names.size()));
		QueueBoard.Board read = this.board.read(part);
		return new Queues(this.clock.instant(), read.queues(),
				(part.size() < names.size()) ? part.get(part.size() - 1) : null, read.unreadable());
	}

	private Details queue(ConsoleCall call) {
		String queue = call.queue();
		QueueInfo info = this.inspector.queueInfo(queue);
		List<Consumer> consumers = new ArrayList<>();
		for (FleetSurvey.Live server : this.servers.look().live()) {
			Integer weight = server.info().queues().get(queue);
			if (weight != null) {
				consumers.add(new Consumer(server.info().id(), server.info().host(), server.info().pid(), weight,
						server.info().concurrency(), server.info().workers().size(), server.info().status(),
						server.isJava()));
			}
		}
		List<Minute> ahead = new ArrayList<>();
		List<Long> counts = this.tasks.retriesAhead(queue, STEP, STEPS);
		for (int i = 0; i < counts.size(); i++) {
			ahead.add(new Minute(i, counts.get(i)));
		}
		return new Details(this.clock.instant(), info, memory(queue), false, consumers, ahead,
				info.waitingForLimit() <= TaskSurvey.MOST_WAITING, place(queue),
				info.paused() ? this.tasks.pausedSince(List.of(queue)).get(queue) : null);
	}

	/** An estimate, which may fail where MEMORY USAGE is forbidden. */
	private @Nullable Long memory(String queue) {
		Remembered<Long> estimate;
		synchronized (this.memory) {
			estimate = this.memory.computeIfAbsent(queue,
					(name) -> new Remembered<>(() -> this.inspector.memoryUsage(name), MEMORY_AGE));
		}
		return StateReader.allowed(estimate::get);
	}

	/** Nothing if there is no cluster. */
	private @Nullable Place place(String queue) {
		return StateReader
			.allowed(() -> new Place(this.inspector.clusterKeySlot(queue), this.inspector.clusterNodes(queue)));
	}

	private Part groups(ConsoleCall call) {
		Listing<?> part = this.queues.groups(call.queue(), call.text("cursor"), call.integer("size", 200, 1, 200));
		return new Part(this.clock.instant(), part.entries(), part.next());
	}

	private Findings diagnosis(ConsoleCall call) {
		Diagnosis found = this.repair.diagnose(call.queue(), call.text("cursor"), limit(call));
		return new Findings(this.clock.instant(), found.counts(), found.inconsistencies(), found.unhandled(),
				found.limited(), found.held(), found.next());
	}

	private ConsoleChange delete(ConsoleCall call) {
		String queue = call.queue();
		long deleted = this.queues.delete(queue, call.flag("force"), call.number("expectedCount"));
		return ConsoleChange.done(Map.of("queue", queue, "done", deleted), deleted);
	}

	private ConsoleChange repair(ConsoleCall call) {
		if (!call.flag("apply")) {
			// A page of an older version, which only tries
			throw new ConsoleException(400, "parameter", "Parameter 'apply' must be true: 'repair/preview' only tries");
		}
		RepairReport report = walk(call, false);
		return ConsoleChange.done(report, report.repaired().values().stream().mapToLong(Long::longValue).sum());
	}

	private RepairReport walk(ConsoleCall call, boolean dryRun) {
		return this.repair.repair(call.queue(), kinds(call), dryRun, call.text("cursor"), limit(call));
	}

	private static Set<Inconsistency.Kind> kinds(ConsoleCall call) {
		Set<Inconsistency.Kind> kinds = EnumSet.noneOf(Inconsistency.Kind.class);
		for (String name : call.texts("kinds")) {
			kinds.add(Stream.of(Inconsistency.Kind.values())
				.filter((kind) -> kind.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
				.findFirst()
				.orElseThrow(() -> call.invalid("kinds", "some of " + List.of(Inconsistency.Kind.values()))));
		}
		return kinds.isEmpty() ? EnumSet.allOf(Inconsistency.Kind.class) : kinds;
	}

	private static @Nullable Integer limit(ConsoleCall call) {
		return call.has("limit") ? call.integer("limit", 0, 1, 1_000_000) : null;
	}

	private static ConsoleChange changed(boolean changed) {
		return ConsoleChange.done(Map.of("changed", changed), changed ? 1 : 0);
	}

	record Queues(Instant asOf, List<QueueInfo> entries, @Nullable String next, Map<String, String> unreadable) {
	}

	record Details(Instant asOf, QueueInfo info, @Nullable Long memoryUsage, boolean memoryUsageExact,
			List<Consumer> consumers, List<Minute> retriesAhead, boolean retriesAheadExact, @Nullable Place place,
			@Nullable Instant pausedSince) {
	}

	record Consumer(String server, String host, int pid, int weight, int concurrency, int busy, String status,
			boolean java) {
	}

	record Minute(int minute, long count) {
	}

	record Place(int slot, List<ClusterNode> nodes) {
	}

	record Findings(Instant asOf, Map<Inconsistency.Kind, Long> counts, List<Inconsistency> inconsistencies,
			Map<String, Long> unhandled, long limited, long held, @Nullable String next) {
	}

}
