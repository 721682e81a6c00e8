package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.asynq.TaskInfo;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Listing;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.operations.Confidential;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.attention.Dated;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskInfo;
import org.jspecify.annotations.Nullable;

final class PeriodicScreen implements ConsoleScreen {

	private static final int FIRES = 3;

	/** Go makes such ids; Java's are digests, or chosen by people. */
	private static final Pattern GO_ID = Pattern
		.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

	private final AsynqInspector inspector;

	private final SchedulerOperations operations;

	private final StateReader state;

	private final @Nullable AsynqScheduler own;

	private final Clock clock;

	/**
	 * Without a zone in its spec, an entry goes by that of its scheduler: UTC unless set.
	 */
	PeriodicScreen(StateReader state, AsynqInspector inspector, SchedulerOperations operations,
			@Nullable AsynqScheduler own, Clock clock) {
		this.state = state;
		this.inspector = inspector;
		this.operations = operations;
		this.own = own;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("schedulers", this::schedulers);
		routes.get("scheduler-events", this::schedulerEvents);
		routes.post("scheduler/run", ConsoleRight.ACT, this::run);
	}

	private ConsoleChange run(ConsoleCall call) {
		String id = call.required("id");
		this.inspector.schedulerEntries()
			.stream()
			.filter((entry) -> entry.id().equals(id))
			.forEach((entry) -> call.require(ConsoleRight.ACT, queue(entry)));
		TaskInfo task = this.operations.runNow(id);
		return ConsoleChange.done(Collections.singletonMap("task", (task != null) ? Confidential.hide(task) : null),
				(task != null) ? 1 : 0);
	}

	private Part schedulerEvents(ConsoleCall call) {
		Listing<?> part = this.operations.events(call.required("id"), call.text("cursor"),
				call.integer("size", 30, 1, 200));
		return new Part(this.clock.instant(), part.entries(), part.next());
	}

	private static String queue(SchedulerEntry entry) {
		String queue = entry.options().queue();
		return (queue != null) ? queue : "default";
	}

	private Schedulers schedulers(ConsoleCall call) {
		Set<String> here = (this.own != null)
				? this.own.entries().stream().map(PeriodicTaskInfo::id).collect(Collectors.toSet()) : Set.of();
		List<Entry> entries = new ArrayList<>();
		Dated<List<SchedulerEntry>> published = this.state.schedulerEntries();
		for (SchedulerEntry entry : published.value()) {
			String name = queue(entry);
			if (call.caller().sees(name)) {
				SchedulerEntry shown = call.caller().showsPayloads(name) ? entry : Confidential.hide(entry);
				boolean isHere = here.contains(entry.id());
				entries.add(new Entry(entry.id(), entry.spec(), entry.task().type(), shown.optionTexts(), entry.next(),
						entry.previous(), (!isHere && GO_ID.matcher(entry.id()).matches()) ? "go" : "java", name,
						isHere, SchedulerOperations.nextFires(entry, FIRES)));
			}
		}
		return new Schedulers(published.at(), entries);
	}

	record Schedulers(Instant asOf, List<Entry> entries) {
	}

	record Entry(String id, String spec, String type, List<String> options, @Nullable Instant next,
			@Nullable Instant previous, String origin, String queue, boolean here, List<Instant> nextFires) {
	}

}
