package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.worker.UnhandledStore.Waiting;
import io.asynq.server.ServerState;
import org.jspecify.annotations.Nullable;

/**
 * Tasks without a handler become due when this server has one, and are put off while
 * nobody has; where a server may have one that does not tell its types, as Go's do not,
 * they come back by themselves.
 */
public final class UnhandledTasks extends PeriodicComponent {

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/** While there are tasks that were not put off: they come back after a second. */
	private static final Duration SHORT_INTERVAL = Duration.ofMillis(500);

	private final UnhandledStore store;

	private final Supplier<List<ServedTypes>> servers;

	private final MissingHandlers missing;

	private final ServerStatus status;

	private final Collection<String> queues;

	private final QueueRound round;

	private final Lanes lanes;

	private final LaneThreads threads;

	/** Of the last pass in which they could be read. */
	private @Nullable List<ServedTypes> served;

	private boolean asked;

	public UnhandledTasks(UnhandledStore store, Supplier<List<ServedTypes>> servers, MissingHandlers missing,
			ServerStatus status, Collection<String> queues, QueueRound round, Lanes lanes, Loops loops) {
		super(ServerPhase.UNHANDLED_TASKS, loops);
		this.store = store;
		this.servers = servers;
		this.missing = missing;
		this.status = status;
		this.queues = queues;
		this.round = round;
		this.lanes = lanes;
		this.threads = this.lanes.threads("asynq-unhandled");
	}

	@Override
	protected void starting() {
		this.missing.forget();
	}

	@Override
	protected Duration runOnce() {
		askAgain();
		this.round.each(WorkFinder.Kind.UNHANDLED, this.queues, this::visit,
				(queue, found) -> this.missing.note(queue, Map.of()));
		return this.missing.wereTaken() ? SHORT_INTERVAL : INTERVAL;
	}

	private void visit(String queue) {
		List<Waiting> others = new ArrayList<>();
		for (Waiting type : this.store.waiting(queue)) {
			if (!this.missing.isHandledHere(type.type())) {
				others.add(type);
			}
			else if (this.status.get() == ServerState.ACTIVE) {
				this.store.release(queue, type);
			}
		}
		List<ServedTypes> served = others.isEmpty() ? List.of() : served();
		if (served == null) {
			// Until it is known who has handlers, tasks come back by themselves
			return;
		}
		List<ServedTypes> its = served.stream().filter((server) -> server.queues().contains(queue)).toList();
		boolean tell = its.stream().allMatch((server) -> server.types() != null);
		Map<String, Long> tasks = new HashMap<>();
		for (Waiting type : others) {
			if (its.stream().noneMatch((server) -> server.includes(type.type()))) {
				tasks.put(type.type(), type.tasks());
				if (tell) {
					this.store.putOff(queue, type, this.missing.maxAge());
				}
			}
		}
		this.missing.note(queue, tasks);
	}

	/** Several threads may ask, one for each master of a cluster. */
	private synchronized @Nullable List<ServedTypes> served() {
		if (!this.asked) {
			this.asked = true;
			List<ServedTypes> read = this.lanes.ask(this.threads, "servers", this.servers);
			this.served = (read != null) ? read : this.served;
		}
		return this.served;
	}

	private synchronized void askAgain() {
		this.asked = false;
	}

}
