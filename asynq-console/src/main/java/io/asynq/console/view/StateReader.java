package io.asynq.console.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Broker;
import io.asynq.broker.ServerRegistry;
import io.asynq.broker.check.Finding;
import io.asynq.broker.survey.FleetSurvey;
import io.asynq.broker.survey.StoreSurvey;
import io.asynq.broker.survey.TaskSurvey;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.broker.work.WorkFinder;
import io.asynq.info.QueueInfo;
import io.asynq.info.SchedulerEntry;
import io.asynq.operate.survey.QueueBoard;

/**
 * Reads what overviews need, in a number of calls that depends neither on the tasks nor
 * on who looks. What changes rarely is read rarely. Safe for concurrent use.
 */
public final class StateReader {

	private static final Duration FINDINGS_AGE = Duration.ofMinutes(5);

	/** What changes rarely is read with each so many readings: every 10 s by default. */
	static final int RARELY = 5;

	/** So many queues are asked for types without a handler at once. */
	private static final int MOST_UNHANDLED = 50;

	/** On a cluster each is asked by itself. */
	private static final int MOST_ON_CLUSTER = 200;

	private final QueueBoard board;

	private final FleetSurvey fleet;

	private final TaskSurvey tasks;

	private final Unhandled unhandled;

	private final NewestFailures newest;

	private final Slow slow;

	StateReader(QueueBoard board, FleetSurvey fleet, TaskSurvey tasks, Unhandled unhandled, NewestFailures newest,
			Slow slow) {
		this.board = board;
		this.fleet = fleet;
		this.tasks = tasks;
		this.unhandled = unhandled;
		this.newest = newest;
		this.slow = slow;
	}

	/**
	 * Creates a reader.
	 * @param refresh how often it is going to read
	 */
	public static StateReader create(Broker broker, Clock clock, Duration refresh) {
		Duration rarely = refresh.multipliedBy(RARELY);
		return new StateReader(QueueBoard.create(broker, clock), broker.fleetSurvey(), broker.taskSurvey(),
				new Unhandled(broker.work(), broker.unhandled(), broker.servers()),
				new NewestFailures(broker.taskSurvey()),
				new Slow(new Remembered<>(Dated.of(() -> findings(broker), clock), FINDINGS_AGE),
						new Remembered<>(Dated.of(() -> nodes(broker), clock), rarely),
						new Remembered<>(Dated.of(() -> broker.fleet().schedulerEntries(), clock), rarely)));
	}

	/** Reads it now. */
	public State read() {
		QueueBoard.Board read = this.board.read();
		List<String> names = new ArrayList<>();
		List<String> paused = new ArrayList<>();
		for (QueueInfo queue : read.queues()) {
			names.add(queue.queue());
			if (queue.paused()) {
				paused.add(queue.queue());
			}
		}
		Map<String, Instant> pausedSince = paused.isEmpty() ? Map.of() : this.tasks.pausedSince(paused);
		return new State(read, this.fleet.look(), schedulerEntries().value().size(), this.unhandled.read(names),
				pausedSince, findings().value(), this.newest.read(read.queues()), nodes().value());
	}

	/** Returns what the check of Redis has found, at most some minutes ago. */
	Dated<List<Finding>> findings() {
		return this.slow.findings().get();
	}

	/** Returns what Redis says of itself, at most some seconds ago. */
	Dated<List<StoreSurvey.Node>> nodes() {
		return this.slow.nodes().get();
	}

	/** Returns the periodic tasks of live schedulers, at most some seconds ago. */
	Dated<List<SchedulerEntry>> schedulerEntries() {
		return this.slow.schedulerEntries().get();
	}

	private static List<Finding> findings(Broker broker) {
		try {
			return broker.check().check().findings();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return List.of(new Finding("Redis could not be checked (" + ex.getMessage() + ")",
					"see what its user may do: docs/security.md"));
		}
	}

	/** The rule for asynq's user does not have INFO. */
	private static List<StoreSurvey.Node> nodes(Broker broker) {
		try {
			return broker.storeSurvey().nodes();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return List.of();
		}
	}

	/**
	 * What changes rarely.
	 */
	record Slow(Remembered<Dated<List<Finding>>> findings, Remembered<Dated<List<StoreSurvey.Node>>> nodes,
			Remembered<Dated<List<SchedulerEntry>>> schedulerEntries) {
	}

	/**
	 * Types that wait for a handler.
	 */
	record Unhandled(WorkFinder work, UnhandledStore store, ServerRegistry servers) {

		Map<String, List<UnhandledStore.Waiting>> read(List<String> queues) {
			Map<String, List<UnhandledStore.Waiting>> waiting = new LinkedHashMap<>();
			if (queues.isEmpty()) {
				return waiting;
			}
			// On a cluster no script may look at several queues
			Collection<String> candidates = this.servers.isPartitioned()
					? queues.subList(0, Math.min(MOST_ON_CLUSTER, queues.size()))
					: this.work.find(WorkFinder.Kind.UNHANDLED, queues)
						.next()
						.keySet()
						.stream()
						.sorted()
						.limit(MOST_UNHANDLED)
						.toList();
			candidates.forEach((queue) -> {
				List<UnhandledStore.Waiting> types = this.store.waiting(queue);
				if (!types.isEmpty()) {
					waiting.put(queue, types);
				}
			});
			return waiting;
		}

	}

}
