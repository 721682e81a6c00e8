package io.asynq.operations.attention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.preflight.StoreCheck;
import io.asynq.operations.survey.FleetSurvey;
import io.asynq.operations.survey.QueueBoard;
import io.asynq.operations.survey.TaskSurvey;

/**
 * The number of calls depends neither on the tasks nor on who looks; what changes rarely
 * is read rarely.
 */
public final class SituationReader {

	private static final Duration FINDINGS_AGE = Duration.ofMinutes(5);

	private static final Duration PERIODIC_AGE = Duration.ofMinutes(1);

	private static final Duration STARVING_AGE = Duration.ofSeconds(30);

	/** Servers take such tasks back within half a minute. */
	private static final Duration GRACE = Duration.ofSeconds(60);

	/** What changes rarely is read with each so many readings: every 10 s by default. */
	public static final int RARELY = 5;

	private final QueueBoard board;

	private final FleetSurvey fleet;

	private final TaskSurvey tasks;

	private final Unhandled unhandled;

	private final FailingQueues rates;

	private final Slow slow;

	private SituationReader(QueueBoard board, FleetSurvey fleet, TaskSurvey tasks, Unhandled unhandled, Slow slow) {
		this.board = board;
		this.fleet = fleet;
		this.tasks = tasks;
		this.unhandled = unhandled;
		this.rates = new FailingQueues(tasks);
		this.slow = slow;
	}

	/**
	 * @param refresh how often it is going to read
	 */
	public static SituationReader create(Broker handle, Clock clock, Duration refresh) {
		RedisBroker broker = RedisBroker.of(handle);
		LimitReader limits = broker.limitReader();
		Remembered<Dated<List<SchedulerEntry>>> entries = new Remembered<>(
				Dated.of(() -> broker.fleet().schedulerEntries(), clock), refresh.multipliedBy(RARELY));
		FailingPeriodicTasks outcomes = new FailingPeriodicTasks(broker.fleet(), broker.tasks());
		return new SituationReader(new QueueBoard(broker, clock), new FleetSurvey(broker, clock),
				new TaskSurvey(broker), new Unhandled(broker.work(), broker.unhandled(), broker.servers()),
				new Slow(new Remembered<>(Dated.of(() -> findings(new StoreCheck(broker, clock)), clock), FINDINGS_AGE),
						entries, new Remembered<>(() -> outcomes.failed(entries.get().value()), PERIODIC_AGE),
						new Remembered<>(() -> starving(limits), STARVING_AGE)));
	}

	public Situation read() {
		QueueBoard.Board read = this.board.read();
		List<String> names = new ArrayList<>();
		List<String> paused = new ArrayList<>();
		List<String> orphaned = new ArrayList<>();
		for (QueueInfo queue : read.queues()) {
			names.add(queue.queue());
			if (queue.paused()) {
				paused.add(queue.queue());
			}
			if (queue.stats().orphaned() > 0) {
				orphaned.add(queue.queue());
			}
		}
		Map<String, Instant> pausedSince = paused.isEmpty() ? Map.of() : this.tasks.pausedSince(paused);
		return new Situation(read, this.fleet.look(), schedulerEntries().value().size(), this.unhandled.read(names),
				pausedSince, findings().value(), this.rates.read(read),
				orphaned.isEmpty() ? Map.of() : this.tasks.orphaned(orphaned, GRACE), this.slow.periodic().get(),
				this.slow.starving().get());
	}

	/** At most some minutes old. */
	public Dated<List<Finding>> findings() {
		return this.slow.findings().get();
	}

	/** At most some seconds old. */
	public Dated<List<SchedulerEntry>> schedulerEntries() {
		return this.slow.schedulerEntries().get();
	}

	private static List<Finding> findings(StoreCheck check) {
		try {
			return check.check().findings();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return List.of(new Finding("Redis could not be checked (" + ex.getMessage() + ")",
					"see what its user may do: docs/security.md"));
		}
	}

	/** A key of another type hides nothing else. */
	private static List<LimitReader.Starving> starving(LimitReader limits) {
		try {
			return limits.starving();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return List.of();
		}
	}

	private record Slow(Remembered<Dated<List<Finding>>> findings,
			Remembered<Dated<List<SchedulerEntry>>> schedulerEntries,
			Remembered<List<FailingPeriodicTasks.Failed>> periodic, Remembered<List<LimitReader.Starving>> starving) {
	}

	private record Unhandled(WorkFinder work, UnhandledStore store, ServerRegistry servers) {

		/** So many queues are asked for types without a handler at once. */
		private static final int MOST = 50;

		/** On a cluster each is asked by itself. */
		private static final int MOST_ON_CLUSTER = 200;

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
						.limit(MOST)
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
