package io.asynq.server.upkeep;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.broker.ServerRegistry;
import io.asynq.broker.work.UnhandledStore;
import io.asynq.broker.work.UnhandledStore.Waiting;
import io.asynq.broker.fleet.ServedTypes;
import io.asynq.broker.work.WorkFinder;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.server.ServerState;
import io.asynq.server.attempt.MissingHandlers;
import io.asynq.server.lane.WorkRound;
import io.asynq.server.state.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Looks after tasks that wait for a handler: makes them due when this server has one, and
 * puts them off, many at a time, while nobody has. Where a server may have one that does
 * not tell its types, as Go's do not, they come back by themselves.
 */
public final class UnhandledTasks extends PeriodicComponent {

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/** While there are tasks that were not put off: they come back after a second. */
	private static final Duration SHORT_INTERVAL = Duration.ofMillis(500);

	private final UnhandledStore store;

	private final ServerRegistry servers;

	private final MissingHandlers missing;

	private final ServerStatus status;

	private final Collection<String> queues;

	private final WorkRound round;

	/** Read at most once per pass. */
	private @Nullable List<ServedTypes> served;

	/**
	 * @param status releases no tasks unless the server takes some
	 */
	public UnhandledTasks(UnhandledStore store, ServerRegistry servers, MissingHandlers missing, ServerStatus status,
			Work work, Loops loops) {
		super(ServerPhase.UNHANDLED, loops);
		this.store = store;
		this.servers = servers;
		this.missing = missing;
		this.status = status;
		this.queues = work.queues();
		this.round = work.round();
	}

	@Override
	protected void starting() {
		this.missing.forget();
	}

	@Override
	protected Duration runOnce() {
		forgetServed();
		this.round.each(WorkFinder.Kind.UNHANDLED, this.queues, this::visit,
				(queue, found) -> this.missing.note(queue, Map.of()));
		return this.missing.wereTaken() ? SHORT_INTERVAL : INTERVAL;
	}

	private void visit(String queue) {
		Map<String, Long> tasks = new HashMap<>();
		for (Waiting type : this.store.waiting(queue)) {
			if (this.missing.isHandledHere(type.type())) {
				if (this.status.get() == ServerState.ACTIVE) {
					this.store.release(queue, type);
				}
			}
			else if (servers(queue).noneMatch((server) -> server.includes(type.type()))) {
				tasks.put(type.type(), type.tasks());
				if (servers(queue).allMatch((server) -> server.types() != null)) {
					this.store.putOff(queue, type, this.missing.maxAge());
				}
			}
		}
		this.missing.note(queue, tasks);
	}

	private Stream<ServedTypes> servers(String queue) {
		return served().stream().filter((server) -> server.queues().contains(queue));
	}

	/** Several threads may ask, one for each master of a cluster. */
	private synchronized List<ServedTypes> served() {
		List<ServedTypes> known = this.served;
		if (known == null) {
			known = this.servers.served();
			this.served = known;
		}
		return known;
	}

	private synchronized void forgetServed() {
		this.served = null;
	}

	/**
	 * Where it looks.
	 *
	 * @param round visits the queues that have such tasks
	 */
	public record Work(Collection<String> queues, WorkRound round) {
	}

}
