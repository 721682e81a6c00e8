package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
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
import io.asynq.info.Inconsistency;
import io.asynq.info.Listing;
import io.asynq.operate.QueueOperations;
import io.asynq.operate.RepairOperations;
import io.asynq.repair.Diagnosis;
import io.asynq.repair.RepairReport;
import org.jspecify.annotations.Nullable;

public final class QueuesScreen implements ConsoleScreen {

	private final QueueOperations queues;

	private final RepairOperations repair;

	private final Clock clock;

	public QueuesScreen(QueueOperations queues, RepairOperations repair, Clock clock) {
		this.queues = queues;
		this.repair = repair;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("groups", this::groups);
		routes.get("diagnosis", this::diagnosis);
		routes.post("queue/pause", ConsoleRight.ACT, (call) -> changed(this.queues.pause(call.queue())));
		routes.post("queue/resume", ConsoleRight.ACT, (call) -> changed(this.queues.resume(call.queue())));
		routes.post("queue/delete", ConsoleRight.ADMIN, this::delete);
		routes.ask("repair/preview", (call) -> walk(call, true));
		routes.post("repair", ConsoleRight.ADMIN, this::repair);
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

	record Findings(Instant asOf, Map<Inconsistency.Kind, Long> counts, List<Inconsistency> inconsistencies,
			Map<String, Long> unhandled, long limited, long held, @Nullable String next) {
	}

}
