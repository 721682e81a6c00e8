package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.WorkerInfo;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.operations.attention.Remembered;

/**
 * Finds what the palette jumps to: queues by a part of their name, tasks by their whole
 * id, types that are known without a search.
 */
record SearchScreen(Remembered<State> state, TaskKeeper tasks, Payloads payloads,
		Clock clock) implements ConsoleScreen {

	private static final int MOST = 20;

	/** In so many queues is asked for an id, those with the most tasks. */
	private static final int QUEUES = 200;

	private static final int LONGEST = 2048;

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("search", this::search);
	}

	private Found search(ConsoleCall call) {
		String text = call.required("text").strip();
		if (text.isEmpty() || text.length() > LONGEST) {
			throw call.invalid("text", "from 1 to " + LONGEST + " characters");
		}
		State known = this.state.get();
		ConsoleCaller viewer = call.caller();
		List<QueueInfo> seen = known.board().queues().stream().filter((queue) -> viewer.sees(queue.queue())).toList();
		String part = text.toLowerCase(Locale.ROOT);
		List<String> queues = seen.stream()
			.map(QueueInfo::queue)
			.filter((queue) -> queue.toLowerCase(Locale.ROOT).contains(part))
			.limit(MOST)
			.toList();
		return new Found(this.clock.instant(), queues, tasks(text, seen, viewer), types(known, part, viewer));
	}

	private List<TaskLine> tasks(String id, List<QueueInfo> queues, ConsoleCaller viewer) {
		List<TaskLine> found = new ArrayList<>();
		queues.stream()
			.filter((queue) -> queue.size() > 0)
			.sorted(Comparator.comparingLong((QueueInfo queue) -> -queue.size()))
			.limit(QUEUES)
			.forEach((queue) -> {
				try {
					this.tasks.find(queue.queue(), id).ifPresent((task) -> found.add(this.payloads.line(task, viewer)));
				}
				catch (BrokerUnavailableException ex) {
					throw ex;
				}
				catch (BrokerException ex) {
					// It cannot be decoded: a diagnosis tells it
				}
			});
		return found;
	}

	private static List<String> types(State state, String part, ConsoleCaller viewer) {
		TreeSet<String> types = new TreeSet<>();
		state.fleet().live().forEach((server) -> {
			if (server.served().types() != null) {
				server.served().types().forEach((type) -> types.add(FleetScreen.written(type)));
			}
			server.info()
				.workers()
				.stream()
				.filter((worker) -> viewer.sees(worker.queue()))
				.map(WorkerInfo::task)
				.forEach((task) -> types.add(task.type()));
		});
		state.newest().stream().filter((task) -> viewer.sees(task.queue())).forEach((task) -> types.add(task.type()));
		state.situation().unhandled().forEach((queue, waiting) -> {
			if (viewer.sees(queue)) {
				waiting.forEach((type) -> types.add(type.type()));
			}
		});
		return types.stream().filter((type) -> type.toLowerCase(Locale.ROOT).contains(part)).limit(MOST).toList();
	}

	record Found(Instant asOf, List<String> queues, List<TaskLine> tasks, List<String> types) {
	}

}
