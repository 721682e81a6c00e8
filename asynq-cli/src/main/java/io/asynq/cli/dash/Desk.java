package io.asynq.cli.dash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.Page;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.operations.ActionReport;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.TaskSelection;

/** Reads what a screen shows and does what was confirmed. Used by one thread. */
final class Desk {

	/** At how many entries a filter looks: Redis has other work to do. */
	static final int MOST_LOOKED_AT = 10_000;

	private static final int AT_ONCE = 200;

	/** Redis samples to find out, so it is not asked each time. */
	private static final Duration MEMORY_AGE = Duration.ofSeconds(60);

	private final AsynqInspector inspector;

	private final QueueOperations queues;

	private final TaskOperations tasks;

	private final Map<String, Memory> memory = new HashMap<>();

	Desk(AsynqInspector inspector, QueueOperations queues, TaskOperations tasks) {
		this.inspector = inspector;
		this.queues = queues;
		this.tasks = tasks;
	}

	Reading read(Place place, Part part) {
		String queue = place.queue();
		if (queue == null) {
			return readQueues(place, part);
		}
		if (place.id() != null) {
			return new Reading.One(this.tasks.task(queue, place.id()));
		}
		return (place.kind() == Place.Kind.GROUPS) ? readGroups(queue, place, part) : readTasks(queue, place, part);
	}

	String act(Act act, LongConsumer progress, BooleanSupplier stopped) {
		if (act instanceof Act.Pause pause) {
			boolean changed = pause.pause() ? this.queues.pause(pause.queue()) : this.queues.resume(pause.queue());
			return "Queue " + pause.queue() + (changed ? " is " : " was already ")
					+ (pause.pause() ? "paused" : "resumed");
		}
		if (act instanceof Act.ToTask one) {
			this.tasks.actOnOne(one.action(), one.queue(), one.id());
			return (one.action() == TaskAction.CANCEL) ? "The server of task " + one.id() + " was asked to cancel it"
					: "Done: task " + one.id();
		}
		return actOnAll((Act.ToAll) act, progress, stopped);
	}

	private String actOnAll(Act.ToAll act, LongConsumer progress, BooleanSupplier stopped) {
		TaskSelection selection = new TaskSelection(act.queue(), act.state(), act.group());
		long done = 0;
		long failed = 0;
		String error = null;
		boolean more = true;
		while (more && !stopped.getAsBoolean()) {
			// Tasks that came after the confirmation were not confirmed
			ActionReport report = this.tasks.actOnAll(act.action(), selection, act.count() - done);
			done += report.done();
			progress.accept(done);
			if (!report.failed().isEmpty()) {
				failed = report.failed().size();
				error = report.failed().get(0).error();
			}
			// Active tasks stay where they are until their servers have stopped them
			more = report.done() > 0 && report.remaining() > failed && done < act.count()
					&& act.action() != TaskAction.CANCEL;
		}
		return Figures.count(done) + " of " + Figures.count(act.count()) + " done"
				+ ((failed > 0) ? ", " + Figures.count(failed) + " not: " + error : "");
	}

	private Reading readQueues(Place place, Part part) {
		List<String> names = this.inspector.queues()
			.stream()
			.filter((name) -> contains(name, place.filter()))
			.sorted()
			.toList();
		int from = Math.min(names.size(), (part.number() - 1) * part.rows());
		int to = Math.min(names.size(), from + part.rows());
		List<Reading.Line> lines = new ArrayList<>();
		for (String name : names.subList(from, to)) {
			try {
				lines.add(line(name));
			}
			catch (BrokerUnavailableException ex) {
				throw ex;
			}
			catch (AsynqException ex) {
				// One that cannot be read, or was deleted a moment ago, hides no other
			}
		}
		Set<String> served = this.inspector.servers()
			.stream()
			.filter(ServerInfo::takesTasks)
			.flatMap((server) -> server.queues().keySet().stream())
			.collect(Collectors.toSet());
		return new Reading.Queues(lines, served, names.size(), to - from - lines.size(), to < names.size());
	}

	private Reading readGroups(String queue, Place place, Part part) {
		List<GroupInfo> groups = new ArrayList<>();
		String cursor = part.cursor();
		int lookedAt = 0;
		do {
			Listing<GroupInfo> some = this.queues.groups(queue, cursor, Math.min(AT_ONCE, part.rows()));
			some.entries().stream().filter((group) -> contains(group.name(), place.filter())).forEach(groups::add);
			cursor = some.next();
			lookedAt += some.entries().size();
		}
		while (cursor != null && groups.size() < part.rows() && lookedAt < MOST_LOOKED_AT);
		return new Reading.Groups(line(queue), groups, cursor);
	}

	private Reading readTasks(String queue, Place place, Part part) {
		Reading.Line line = line(queue);
		long count = (place.group() != null && place.state() == TaskState.AGGREGATING)
				? this.inspector.groupInfo(queue, place.group()).size() : line.info().size(place.state());
		if (place.filter().isEmpty()) {
			List<TaskInfo> tasks = list(queue, place, Page.of(part.number(), part.rows()));
			long end = (long) part.number() * part.rows();
			return new Reading.Tasks(line, tasks, count, Math.min(count, end), end < count);
		}
		long skipped = (part.number() - 1L) * part.rows();
		List<TaskInfo> found = new ArrayList<>();
		Page page = Page.of(1, AT_ONCE);
		while (page.offset() < Math.min(count, MOST_LOOKED_AT) && found.size() <= skipped + part.rows()) {
			list(queue, place, page).stream().filter((task) -> meets(task, place.filter())).forEach(found::add);
			page = page.next();
		}
		List<TaskInfo> tasks = found.stream().skip(skipped).limit(part.rows()).toList();
		return new Reading.Tasks(line, tasks, count, Math.min(count, page.offset()),
				found.size() > skipped + part.rows());
	}

	private List<TaskInfo> list(String queue, Place place, Page page) {
		String group = place.group();
		return (group != null) ? this.inspector.listAggregatingTasks(queue, group, page)
				: this.inspector.listTasks(queue, place.state(), page);
	}

	private Reading.Line line(String queue) {
		QueueInfo info = this.queues.queue(queue);
		Memory known = this.memory.get(queue);
		if (known == null || System.nanoTime() - known.readAt() > MEMORY_AGE.toNanos()) {
			known = new Memory(memory(queue), System.nanoTime());
			this.memory.put(queue, known);
		}
		return new Reading.Line(info, known.bytes());
	}

	private long memory(String queue) {
		try {
			return this.inspector.memoryUsage(queue);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			// Its user may not ask
			return Reading.Line.UNKNOWN;
		}
	}

	private static boolean meets(TaskInfo task, String filter) {
		String error = task.lastError();
		return contains(task.id(), filter) || contains(task.type(), filter)
				|| (error != null && contains(error, filter))
				|| contains(PayloadText.searchable(task.payload()), filter);
	}

	private static boolean contains(String text, String filter) {
		return filter.isEmpty() || text.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
	}

	private record Memory(long bytes, long readAt) {
	}

}
