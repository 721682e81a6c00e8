package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Broker;
import io.asynq.broker.FleetReader;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.info.ClusterNode;
import io.asynq.info.QueueInfo;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operate.attention.Remembered;
import io.asynq.operate.survey.QueueBoard;
import org.jspecify.annotations.Nullable;

final class QueueScreen implements ConsoleScreen {

	private static final Duration MEMORY_AGE = Duration.ofSeconds(60);

	private static final int REMEMBERED = 200;

	private static final Duration STEP = Duration.ofMinutes(1);

	private static final int STEPS = 30;

	private final AsynqInspector inspector;

	private final QueueBoard board;

	private final TaskSurvey tasks;

	private final Fleet fleet;

	private final Clock clock;

	private final Map<String, Remembered<Long>> memory = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Remembered<Long>> eldest) {
			return size() > REMEMBERED;
		}

	};

	private QueueScreen(AsynqInspector inspector, QueueBoard board, TaskSurvey tasks, Fleet fleet, Clock clock) {
		this.inspector = inspector;
		this.board = board;
		this.tasks = tasks;
		this.fleet = fleet;
		this.clock = clock;
	}

	static QueueScreen create(AsynqInspector inspector, Broker broker, Clock clock) {
		return new QueueScreen(inspector, QueueBoard.create(broker, clock), broker.taskSurvey(),
				new Fleet(broker.fleetSurvey(), broker.fleet()), clock);
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("queues", this::queues);
		routes.get("queue", this::queue);
	}

	private Queues queues(ConsoleCall call) {
		String after = call.text("cursor");
		List<String> names = this.inspector.queues()
			.stream()
			.filter((name) -> call.sees(name) && (after == null || name.compareTo(after) > 0))
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
		for (FleetSurvey.Live server : this.fleet.survey().look().live()) {
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
		try {
			return estimate.get();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return null;
		}
	}

	private @Nullable Place place(String queue) {
		try {
			return new Place(this.fleet.reader().keySlot(queue), this.fleet.reader().nodes(queue));
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			// No cluster
			return null;
		}
	}

	private record Fleet(FleetSurvey survey, FleetReader reader) {
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

}
