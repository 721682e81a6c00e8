package io.asynq.server;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.BrokerException;
import io.asynq.broker.ServerRegistry;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What live servers say they work on, asked for when it is first needed. On a cluster
 * what they say lies on many nodes, of which one may hang: then it is not known for a
 * while. Safe for concurrent use.
 */
final class ListedTasks {

	private static final Logger logger = OneLineLogger.of(ListedTasks.class);

	private final ServerRegistry servers;

	private final Lanes lanes;

	private final LaneThreads threads;

	private @Nullable Set<String> ids;

	private boolean unknown;

	ListedTasks(ServerRegistry servers, Lanes lanes, LoopErrorLog errors) {
		this.servers = servers;
		this.lanes = lanes;
		this.threads = new LaneThreads("asynq-recoverer", lanes.threads(), errors);
	}

	/**
	 * Has them asked for anew.
	 */
	synchronized void forget() {
		this.ids = null;
		this.unknown = false;
	}

	/**
	 * Returns whether a server lists a task, or that cannot be told. Servers list ids
	 * without their queue's key, so a task of the same id in another queue counts, too.
	 * @param id the task's id
	 * @return whether one does
	 */
	synchronized boolean contains(String id) {
		if (this.ids == null && !this.unknown) {
			AtomicReference<@Nullable Set<String>> answer = new AtomicReference<>();
			if (this.lanes.areSeveral()) {
				this.threads.run(Map.of("servers", () -> answer.set(ask())));
			}
			else {
				answer.set(ask());
			}
			this.ids = answer.get();
			this.unknown = this.ids == null;
		}
		return this.ids == null || this.ids.contains(id);
	}

	private @Nullable Set<String> ask() {
		try {
			return this.servers.listedTasks();
		}
		catch (BrokerException ex) {
			// On a cluster a node may be away that has no queue of ours
			logger.debug("It cannot be told what servers work on", ex);
			return null;
		}
	}

}
